// The direction of imports: each part may use those below it, never one above or beside it.
// Read from the import statements themselves.

import { expect, test } from 'bun:test'
import { dirname, join, relative, resolve } from 'node:path'
import { Glob } from 'bun'

const root = resolve(import.meta.dir, '../..')

/** From the top down. A part may import from itself and from any later line. */
const LAYERS = [
  ['src/main.ts'],
  ['src/server.ts'],
  ['src/index-keeper.ts', 'src/on-database.ts'],
  ['src/recognition.ts'],
  ['src/app.ts', 'src/config.ts'],
  ['src/http'],
  ['src/jobs'],
  ['src/captures', 'src/commands'],
  ['src/dictation'],
  ['src/writing', 'src/transcription'],
  ['src/settings'],
  ['db', 'src/text', 'src/models', 'src/llm'],
  ['src/engine', 'src/audio'],
  ['wasm'],
  ['src/lib'],
  ['package.json'],
]

/** Parts that only hand plain data around may be named for their types by the line they belong to. */
const TYPES_ONLY_FROM = new Map([
  // config.ts is a plain record: who is given it may name its type.
  ['src/config.ts', ['src/app.ts', 'src/http']],
])

type Import = { from: string; to: string; typeOnly: boolean }

const partOf = (file: string) =>
  LAYERS.flat().find((part) => file === part || file.startsWith(`${part}/`)) ?? `unknown part of ${file}`

const rankOf = (part: string) => LAYERS.findIndex((line) => line.includes(part))

async function sourceFiles(): Promise<string[]> {
  const found = await Array.fromAsync(new Glob('{src,db,wasm}/**/*.ts').scan({ cwd: root }))
  return found.sort()
}

async function importsOf(file: string): Promise<Import[]> {
  const text = await Bun.file(join(root, file)).text()
  const statements = text.matchAll(
    /^(?:import|export)\s+(type\s)?[^'"`]*?from\s+['"](\.[^'"]+)['"]|\bimport\(\s*['"](\.[^'"]+)['"]/gm,
  )
  return [...statements].map(([, type, fixed, dynamic]) => ({
    from: file,
    to: relative(root, resolve(root, dirname(file), (fixed ?? dynamic)!)),
    typeOnly: type !== undefined,
  }))
}

function isAllowed({ from, to, typeOnly }: Import): boolean {
  const [above, below] = [partOf(from), partOf(to)]
  if (above === below) return true
  if (typeOnly && TYPES_ONLY_FROM.get(below)?.includes(above)) return true
  return rankOf(above) !== -1 && rankOf(below) > rankOf(above)
}

test('imports point one way', async () => {
  const imports = (await Promise.all((await sourceFiles()).map(importsOf))).flat()
  expect(imports.length).toBeGreaterThan(20)
  expect(imports.filter((one) => !isAllowed(one)).map(({ from, to }) => `${from} → ${to}`)).toEqual([])
})

/** Packages that one part alone may know, so that each can be replaced in one place. */
const KNOWN_BY: Record<string, string[]> = {
  'pg-boss': ['src/jobs'],
  'drizzle-orm': ['db'],
  postgres: ['db'],
  '@electric-sql/pglite': ['db'],
  elysia: ['src/app.ts', 'src/http'],
  '@elysiajs/swagger': ['src/app.ts', 'src/http'],
  '@elysiajs/static': ['src/app.ts', 'src/http'],
  '@transcribe/shout': ['wasm'],
  pino: ['src/lib'],
  'prom-client': ['src/http'],
}

test('each package is known to the part that wraps it and to no other', async () => {
  const strays: string[] = []
  for (const file of await sourceFiles()) {
    const text = await Bun.file(join(root, file)).text()
    for (const [name, parts] of Object.entries(KNOWN_BY)) {
      const imported = new RegExp(`(?:from\\s+|import\\(\\s*)['"]${name}(?:/[^'"]*)?['"]`).test(text)
      if (imported && !parts.includes(partOf(file))) strays.push(`${file} → ${name}`)
    }
  }
  // The queue enqueues inside a Drizzle transaction through pg-boss's own adapter, which needs Drizzle's sql tag.
  expect(strays.filter((stray) => !/^src\/jobs\/.* → drizzle-orm$/.test(stray))).toEqual([])
})

test('only main.ts reads the environment', async () => {
  const readers: string[] = []
  for (const file of await sourceFiles()) {
    if (/process\.env|Bun\.env|import\.meta\.env/.test(await Bun.file(join(root, file)).text()))
      readers.push(file)
  }
  expect(readers).toEqual(['src/main.ts'])
})

test('no source file written by hand is longer than 400 lines, and nine in ten are below 250', async () => {
  const lengths = await Promise.all(
    (await sourceFiles()).map(async (file) => (await Bun.file(join(root, file)).text()).split('\n').length),
  )
  expect(Math.max(...lengths)).toBeLessThanOrEqual(400)
  expect(lengths.filter((length) => length <= 250).length / lengths.length).toBeGreaterThanOrEqual(0.9)
})

test('every source file opens with what it is responsible for and what it is not', async () => {
  const silent: string[] = []
  for (const file of await sourceFiles()) {
    const [first = '', second = ''] = (await Bun.file(join(root, file)).text()).split('\n')
    if (!first.startsWith('//') || !second.startsWith('//')) silent.push(file)
  }
  expect(silent).toEqual([])
})
