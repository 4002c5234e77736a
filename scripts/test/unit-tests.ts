// Which tests are unit tests: those from which nothing can be reached that starts a process or a thread, opens a database,
// listens or reads a model. Read from the imports at each run, so that no list of them can go stale. Runs nothing itself.

import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Glob, Transpiler } from 'bun'

const root = resolve(import.meta.dir, '../..')

/** Packages that start processes or threads, or open databases. */
const STARTS =
  /^(node:child_process|node:worker_threads|bun:sqlite|postgres|playwright-core|pg-boss|@electric-sql\/pglite)$/
/** The same, and what listens, by what Bun itself has. A comment that names one costs no more than a test left out. */
const STARTS_BY_NAME = /\bBun\.(spawn|serve|listen|\$)|\b(spawnSync|createServer)\(|\bnew Worker\(/
/** Knows the models in the box, which take seconds to read. */
const MODELS = resolve(root, 'test/support/ggml.ts')

type Looked = { starts: boolean; imports: string[] }

/** The files of all tests that start nothing, from the project folder, in order. */
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

/** What is imported for its types alone is not among the imports. */
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
