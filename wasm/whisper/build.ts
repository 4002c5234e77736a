// Builds the kernels with AssemblyScript's compiler.
// Run by `npm run kernels`.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { COMPILER } from './compiler.ts'
import { MODULE_FILE } from './module-file.ts'

/** 4 GiB, as much as 32-bit WebAssembly can address. */
const MAX_PAGES = 65_536

/** Not relaxed SIMD: its dot product measures less than plain SIMD's, and nothing else here would use it. */
const FEATURES = ['simd', 'threads', 'bulk-memory']

const compile = async (to: string) => {
  const options = ['-O3', '--converge', '--noAssert', '--runtime', 'stub', '--importMemory', '--sharedMemory']
  // the control block of assembly/control.ts lies below the module's own data
  const memory = ['--initialMemory', '1', '--maximumMemory', String(MAX_PAGES), '--memoryBase', '4096']
  const enabled = FEATURES.flatMap((feature) => ['--enable', feature])
  const command = [process.execPath, COMPILER, 'assembly/index.ts']
  const run = Bun.spawn([...command, ...options, ...memory, ...enabled, '-o', to], {
    cwd: import.meta.dir,
    stdout: 'inherit',
    stderr: 'inherit',
  })
  if ((await run.exited) !== 0) throw new Error('the kernels could not be compiled')
}

/** Whether the committed module is what this source gives. */
export const isUpToDate = async (): Promise<boolean> => {
  const folder = await mkdtemp(join(tmpdir(), 'dictation-kernels-'))
  try {
    const path = join(folder, 'kernels.wasm')
    await compile(path)
    const [built, kept] = await Promise.all([Bun.file(path).bytes(), Bun.file(MODULE_FILE).bytes()])
    return Buffer.from(built).equals(Buffer.from(kept))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) await compile(MODULE_FILE)
