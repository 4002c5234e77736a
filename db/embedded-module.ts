// Compiles the embedded Postgres before the database is opened: compiling takes one core about as long as loading our
// own modules takes another.

import { readOwnFile } from '../src/lib/own-files.ts'

/** Opening the database reports a failure of the compilation. */
export function compileEmbedded(): Promise<WebAssembly.Module> {
  const compiling = compile()
  compiling.catch(() => {})
  return compiling
}

const compile = async (): Promise<WebAssembly.Module> =>
  WebAssembly.compile(await readOwnFile('node_modules/@electric-sql/pglite/pglite.wasm'))
