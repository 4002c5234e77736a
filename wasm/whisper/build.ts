// Builds the kernels with AssemblyScript's compiler: one module for plain SIMD, one that uses relaxed SIMD as well.
// Run by `npm run kernels`.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { MODULES } from './modules.ts'

const here = import.meta.dir

/** 4 GiB, as much as 32-bit WebAssembly can address. */
const MAX_PAGES = 65_536

const compile = async (simd: keyof typeof MODULES, to: string) => {
  const compiler = Bun.fileURLToPath(import.meta.resolve('assemblyscript/asc'))
  const features = ['simd', 'threads', 'bulk-memory', ...(simd === 'relaxed' ? ['relaxed-simd'] : [])]
  const options = ['-O3', '--converge', '--noAssert', '--runtime', 'stub', '--importMemory', '--sharedMemory']
  // the control block of assembly/control.ts lies below the module's own data
  const memory = ['--initialMemory', '1', '--maximumMemory', String(MAX_PAGES), '--memoryBase', '4096']
  const enabled = features.flatMap((feature) => ['--enable', feature])
  const command = [process.execPath, compiler.replace(/dist\/asc\.js$/, 'bin/asc.js'), 'assembly/index.ts']
  const run = Bun.spawn([...command, ...options, ...memory, ...enabled, '-o', to], {
    cwd: here,
    stdout: 'inherit',
    stderr: 'inherit',
  })
  if ((await run.exited) !== 0) throw new Error('the kernels could not be compiled')
}

/** @returns the names of the committed modules that this source does not give */
export const staleModules = async (): Promise<string[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'dictation-kernels-'))
  try {
    const stale: string[] = []
    for (const [simd, path] of Object.entries(MODULES)) {
      const name = basename(path)
      await compile(simd as keyof typeof MODULES, join(folder, name))
      const [built, kept] = await Promise.all([Bun.file(join(folder, name)).bytes(), Bun.file(path).bytes()])
      if (!Buffer.from(built).equals(Buffer.from(kept))) stale.push(name)
    }
    return stale
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  for (const [simd, path] of Object.entries(MODULES)) await compile(simd as keyof typeof MODULES, path)
}
