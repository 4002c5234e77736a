// Sorts the tests by what they start. Found by their imports, direct or not, so that no list can become stale.

import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Glob, Transpiler } from 'bun'

/** Packages that start processes or threads, or open databases. */
const STARTS =
  /^(node:child_process|node:worker_threads|bun:sqlite|postgres|playwright-core|pg-boss|@electric-sql\/pglite)$/
/** The same by Bun's own APIs, and listening. A comment that matches only costs one test. */
const STARTS_BY_NAME = /\bBun\.(spawn|serve|listen|\$)|\b(spawnSync|createServer)\(|\bnew Worker\(/
/** Reads the bundled models, which takes seconds. */
const MODELS = 'test/support/ggml.ts'
/** Start a whole server, or a browser. */
const WHOLE = ['test/support/server.ts', 'test/support/browser.ts']
/** Records from a browser's microphone in real time, so it mostly waits. */
const MICROPHONE = 'test/support/microphone-browser.ts'
/** Starts a whole server, but belongs to every run. */
const SMOKE = 'test/smoke.test.ts'
/** A test that imports this tries only a few random cases in a quick run, */
const QUICK = 'test/support/quick.ts'
/** unless it imports it through this file, whose tests a quick run leaves out. */
const AT_LENGTH = 'test/support/at-length.ts'

export type Tiers = {
  /** start no process or thread, open no database, do not listen, and read no model */
  unit: string[]
  /** real database, queue, files and engine in the test's process */
  parts: string[]
  /** a whole server or a browser */
  whole: string[]
  /** those of `whole` that record from a microphone */
  recording: string[]
  /** those of all tiers with random cases, of which a quick run tries only a few */
  sampled: string[]
  /** those of all tiers with tests that a quick run leaves out */
  lengthy: string[]
}

type Traits = {
  starts: boolean
  isWhole: boolean
  records: boolean
  isSampled: boolean
  isLengthy: boolean
}
type ReadFile = Traits & { imports: string[] }

/** Paths relative to the project's folder, in order. */
export async function testsByTier(folder: string): Promise<Tiers> {
  const tests = (await Array.fromAsync(new Glob('test/**/*.test.ts').scan({ cwd: folder }))).sort()
  const known = new Map<string, ReadFile>()
  const traits = new Map(tests.map((test) => [test, traitsOf(folder, test, known)]))
  const those = (isOne: (traits: Traits) => boolean) => tests.filter((test) => isOne(traits.get(test)!))
  return {
    unit: those(({ starts, isWhole }) => !starts && !isWhole),
    parts: those(({ starts, isWhole }) => starts && !isWhole),
    whole: those(({ isWhole }) => isWhole),
    recording: those(({ records }) => records),
    sampled: those(({ isSampled }) => isSampled),
    lengthy: those(({ isLengthy }) => isLengthy),
  }
}

function traitsOf(folder: string, test: string, known: Map<string, ReadFile>): Traits {
  const reached = new Set([resolve(folder, test)])
  for (const file of reached) {
    const found = known.get(file) ?? readTraits(folder, file)
    known.set(file, found)
    for (const imported of found.imports) reached.add(imported)
  }
  const any = (trait: keyof Traits) => [...reached].some((file) => known.get(file)?.[trait] === true)
  return {
    starts: any('starts'),
    isWhole: any('isWhole') && test !== SMOKE,
    records: any('records'),
    isSampled: any('isSampled'),
    isLengthy: any('isLengthy'),
  }
}

const transpiler = new Transpiler({ loader: 'ts' })

/** Type-only imports are not among the imports. */
function readTraits(folder: string, file: string): ReadFile {
  const text = readFileSync(file, 'utf8')
  const paths = transpiler.scanImports(text).map(({ path }) => path)
  const imports = paths
    .filter((path) => path.startsWith('.') && path.endsWith('.ts'))
    .map((path) => resolve(dirname(file), path))
    .filter(existsSync)
  const isOneOf = (names: string[]) => names.some((name) => file === resolve(folder, name))
  return {
    starts: isOneOf([MODELS]) || STARTS_BY_NAME.test(text) || paths.some((path) => STARTS.test(path)),
    isWhole: isOneOf(WHOLE) || paths.includes('playwright-core'),
    records: isOneOf([MICROPHONE]),
    isSampled: imports.includes(resolve(folder, QUICK)) && !isOneOf([AT_LENGTH]),
    isLengthy: isOneOf([AT_LENGTH]),
    imports,
  }
}
