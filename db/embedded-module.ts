// The embedded Postgres compiled, ahead of its opening: it takes a core about as long as reading our own modules takes
// another. What is done with it is embedded.ts.

import { readFile } from 'node:fs/promises'

/** A failure to compile it is told by what opens the database. */
export function compileEmbedded(): Promise<WebAssembly.Module> {
  const compiling = compile()
  compiling.catch(() => {})
  return compiling
}

const compile = async (): Promise<WebAssembly.Module> =>
  WebAssembly.compile(await readFile(new URL('./pglite.wasm', import.meta.resolve('@electric-sql/pglite'))))
