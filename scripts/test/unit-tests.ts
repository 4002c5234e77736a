// Selects the unit tests: those whose imports, directly or not, do not start a process or a thread, open a database,
// listen or read a model. Found by their imports, so that no list can become stale.

import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Glob, Transpiler } from 'bun'

const root = resolve(import.meta.dir, '../..')

/** Packages that start processes or threads, or open databases. */
const STARTS =
  /^(node:child_process|node:worker_threads|bun:sqlite|postgres|playwright-core|pg-boss|@electric-sql\/pglite)$/
/** The same by Bun's own APIs, and listening. A comment that matches only costs one test. */
const STARTS_BY_NAME = /\bBun\.(spawn|serve|listen|\$)|\b(spawnSync|createServer)\(|\bnew Worker\(/
/** Reads the bundled models, which takes seconds. */
const MODELS = resolve(root, 'test/support/ggml.ts')

type Looked = { starts: boolean; imports: string[] }

/** The files of all unit tests, relative to the project folder, in order. */
export async function unitTests(): Promise<string[]> {
  const tests = await Array.fromAsync(new Glob('test/**/*.test.ts').scan({ cwd: root }))
  const looked = new Map<string, Looked>()
  return tests.sort().filter((test) => !startsAnything(resolve(root, test), looked))
}

function startsAnything(test: string, looked: Map<string, Looked>): boolean {
  const reached = new Set([test])
  for (const file of reached) {
    const { starts, imports } = looked.get(file) ?? look(file)
    looked.set(file, { starts, imports })
    if (starts) return true
    for (const imported of imports) reached.add(imported)
  }
  return false
}

const transpiler = new Transpiler({ loader: 'ts' })

/** Type-only imports are not among the imports. */
function look(file: string): Looked {
  const text = readFileSync(file, 'utf8')
  const paths = transpiler.scanImports(text).map(({ path }) => path)
  return {
    starts: file === MODELS || STARTS_BY_NAME.test(text) || paths.some((path) => STARTS.test(path)),
    imports: paths
      .filter((path) => path.startsWith('.') && path.endsWith('.ts'))
      .map((path) => resolve(dirname(file), path))
      .filter(existsSync),
  }
}
