// Builds the kernels with AssemblyScript's compiler, as `npm run kernels`.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { COMPILER } from './compiler.ts'
import { MODULE_FILE } from './module-file.ts'

/** 4 GiB, the address space of 32-bit WebAssembly. */
const MAX_PAGES = 65_536

/** Not relaxed SIMD: on x64 its dot product is slower than plain SIMD's, and nothing else here would use it. */
const FEATURES = ['simd', 'threads', 'bulk-memory']

const compile = async (to: string) => {
  const options = ['-O3', '--converge', '--noAssert', '--runtime', 'stub', '--importMemory', '--sharedMemory']
  // reserves the bytes below the module's own data for the control block of assembly/control.ts
  const memory = ['--initialMemory', '1', '--maximumMemory', String(MAX_PAGES), '--memoryBase', '4096']
  const enabled = FEATURES.flatMap((feature) => ['--enable', feature])
  const command = [process.execPath, COMPILER, 'assembly/index.ts']
  const run = Bun.spawn([...command, ...options, ...memory, ...enabled, '-o', to], {
    cwd: dirname(MODULE_FILE),
    stdout: 'inherit',
    stderr: 'inherit',
  })
  if ((await run.exited) !== 0) throw new Error('the kernels could not be compiled')
}

/** Whether the committed module matches this source. */
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
