// The direction of imports: a part may import those below it, not those above or beside it.

import { expect, test } from 'bun:test'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { Glob } from 'bun'

const root = resolve(import.meta.dir, '../..')

/** From the top down. A part may import from itself and from any later line. */
const LAYERS = [
  ['src/executable.ts'],
  ['src/main.ts', 'src/cli', 'src/ui'],
  ['src/server.ts'],
  ['src/database-supervisor.ts', 'src/services.ts'],
  ['src/recognition.ts', 'src/library-parts.ts'],
  ['src/app.ts', 'src/config.ts', 'src/wyoming'],
  ['src/http/compose-app.ts'],
  ['src/http/page'],
  ['src/http/docs', 'src/http/service', 'src/http/mcp'],
  ['src/http/captures', 'src/http/commands', 'src/http/models', 'src/http/compat'],
  [
    ...['src/http/jobs', 'src/http/settings', 'src/http/transcribe'],
    ...['src/http/dictionary', 'src/http/writing-styles'],
  ],
  ['src/http/recording'],
  ['src/http/fields'],
  ['src/http/server'],
  ['src/http/kernel'],
  ['src/mcp'],
  ['src/jobs'],
  ['src/captures', 'src/commands'],
  ['src/dictation'],
  ['src/writing', 'src/transcription'],
  ['src/settings'],
  ['src/library'],
  ['db', 'src/models', 'src/llm'],
  ['src/text'],
  ['src/engine', 'src/audio'],
  ['src/supervisor', 'wasm', 'src/store'],
  ['src/lib'],
  ['package.json'],
]

type Import = { from: string; to: string }

const partOf = (file: string) =>
  LAYERS.flat().find((part) => file === part || file.startsWith(`${part}/`)) ?? `unknown part of ${file}`

const rankOf = (part: string) => LAYERS.findIndex((line) => line.includes(part))

async function sourceFiles(): Promise<string[]> {
  const found = await Array.fromAsync(new Glob('{src,db,wasm}/**/*.{ts,tsx}').scan({ cwd: root }))
  return found.sort()
}

async function importsOf(file: string): Promise<Import[]> {
  const text = await Bun.file(join(root, file)).text()
  const statements = text.matchAll(
    /^(?:import|export)\s+[^'"`]*?from\s+['"](\.[^'"]+)['"]|\bimport\(\s*['"](\.[^'"]+)['"]/gm,
  )
  return [...statements].map(([, fixed, dynamic]) => ({
    from: file,
    to: relative(root, resolve(root, dirname(file), (fixed ?? dynamic)!)),
  }))
}

function isAllowed({ from, to }: Import): boolean {
  const [above, below] = [partOf(from), partOf(to)]
  if (above === below) return true
  return rankOf(above) !== -1 && rankOf(below) > rankOf(above)
}

test('imports point one way', async () => {
  const imports = (await Promise.all((await sourceFiles()).map(importsOf))).flat()
  expect(imports.length).toBeGreaterThan(20)
  expect(imports.filter((one) => !isAllowed(one)).map(({ from, to }) => `${from} → ${to}`)).toEqual([])
})

test('there are no import cycles', async () => {
  const imports = (await Promise.all((await sourceFiles()).map(importsOf))).flat()
  const open = new Map(
    [...Map.groupBy(imports, ({ from }) => from)].map(([from, to]) => [
      from,
      new Set(to.map(({ to }) => to)),
    ]),
  )
  // A file without imports of remaining files is in no cycle; the files that remain at the end are.
  for (let isDone = false; !isDone; ) {
    const ends = [...open].filter(([, to]) => [...to].every((file) => !open.has(file)))
    for (const [file] of ends) open.delete(file)
    isDone = ends.length === 0
  }
  expect([...open.keys()]).toEqual([])
})

test('the page imports only types from the server, and only its own packages', async () => {
  const violations: string[] = []
  for (const file of (await sourceFiles()).filter((file) => file.startsWith('src/ui/'))) {
    const text = await Bun.file(join(root, file)).text()
    for (const [, kind, from] of text.matchAll(
      /^(?:import|export)\s+(type )?[^'"`]*?from\s+['"]([^'"]+)['"]/gm,
    )) {
      const path = join(dirname(file), from!)
      const isOwn = from!.startsWith('.') && (partOf(path) === 'src/ui' || SHARED.has(path))
      if (!isOwn && kind === undefined && !UI_PACKAGES.test(from!)) violations.push(`${file} → ${from}`)
    }
  }
  expect(violations).toEqual([])
})

/** Folding and patterns of a search: the page highlights and plays exactly the server's matches. */
const SHARED = new Set(
  ['search-words', 'query-words', 'query-dates', 'query-operators', 'text-tokens'].map(
    (name) => `src/text/${name}.ts`,
  ),
)

/** Packages in the browser bundle. */
const UI_PACKAGES = /^(preact(\/hooks)?|@preact\/signals|diff)$/

/** Packages that only one part may import, so that each can be replaced in one place. */
const KNOWN_BY: Record<string, string[]> = {
  'pg-boss': ['src/jobs'],
  'drizzle-orm': ['db'],
  commander: ['src/cli'],
  '@bomb.sh/tab': ['src/cli'],
  postgres: ['db'],
  '@electric-sql/pglite': ['db'],
  elysia: ['src/http/compose-app.ts', 'src/http/server', 'src/http/docs', 'src/http/page'],
  '@elysiajs/swagger': ['src/http/docs'],
  '@elysiajs/static': ['src/http/docs', 'src/http/page'],
  preact: ['src/ui'],
  '@preact/signals': ['src/ui'],
  '@transcribe/shout': ['wasm'],
  'opencc-js': ['src/text'],
  '@modelcontextprotocol/sdk': ['src/mcp', 'src/http/mcp', 'src/cli'],
  zod: ['src/mcp'],
  pino: ['src/lib'],
  'prom-client': ['src/http/server', 'src/http/service'],
}

test('each package is imported only by the part that wraps it', async () => {
  const violations: string[] = []
  for (const file of await sourceFiles()) {
    const text = await Bun.file(join(root, file)).text()
    for (const [name, parts] of Object.entries(KNOWN_BY)) {
      const imported = new RegExp(`(?:from\\s+|import\\(\\s*)['"]${name}(?:/[^'"]*)?['"]`).test(text)
      if (imported && !parts.includes(partOf(file))) violations.push(`${file} → ${name}`)
    }
  }
  // The queue enqueues in a Drizzle transaction through pg-boss's adapter, which needs Drizzle's sql tag.
  expect(violations.filter((violation) => !/^src\/jobs\/.* → drizzle-orm$/.test(violation))).toEqual([])
})

test('no SQL statement names a table of pg-boss', async () => {
  const files: string[] = []
  for (const file of [...(await sourceFiles()), ...new Glob('db/migrations/*.sql').scanSync({ cwd: root })])
    if (/\bpgboss\b/.test(await Bun.file(join(root, file)).text())) files.push(file)
  expect(files).toEqual([])
})

test('only the two programs read the environment', async () => {
  const readers: string[] = []
  for (const file of await sourceFiles()) {
    if (/process\.env|Bun\.env|import\.meta\.env/.test(await Bun.file(join(root, file)).text()))
      readers.push(file)
  }
  expect(readers).toEqual(['src/cli/main.ts', 'src/main.ts'])
})

test('only own-files.ts knows where this program is, because an executable has no folders', async () => {
  const knowing: string[] = []
  for (const file of await sourceFiles()) {
    if (/import\.meta\.(dir|url|path|file|resolve)/.test(await Bun.file(join(root, file)).text()))
      knowing.push(file)
  }
  expect(knowing).toEqual(['src/lib/own-files.ts'])
})

/** All strings of a language are one file, so that a new language is a copy of it. */
const isStringsFile = (file: string) => /^src\/ui\/strings\/[a-z]{2}\.ts$/.test(file)

test('no source file is longer than 400 lines, and nine in ten have at most 250', async () => {
  const lengths = await Promise.all(
    (await sourceFiles())
      .filter((file) => !isStringsFile(file))
      .map(async (file) => (await Bun.file(join(root, file)).text()).split('\n').length),
  )
  expect(Math.max(...lengths)).toBeLessThanOrEqual(400)
  expect(lengths.filter((length) => length <= 250).length / lengths.length).toBeGreaterThanOrEqual(0.9)
})

test('each exported name has one owner', async () => {
  const owners = new Map<string, string[]>()
  for (const file of await sourceFiles()) {
    // The kernels have the names of their callers.
    if (file.startsWith('wasm/whisper/assembly/')) continue
    const exported = (await Bun.file(join(root, file)).text()).matchAll(
      /^export (?:async )?(?:function\*?|const|let|class|type|enum) (\w+)/gm,
    )
    for (const name of new Set([...exported].map(([, name]) => name!)))
      owners.set(name, [...(owners.get(name) ?? []), file])
  }
  expect(owners.size).toBeGreaterThan(1000)
  expect([...owners].filter(([, files]) => files.length > 1)).toEqual([])
})

test('comments name only existing files', async () => {
  const files = await Array.fromAsync(
    new Glob('{src,db,wasm,scripts,test}/**/*.{ts,tsx,mjs,js}').scan({ cwd: root }),
  )
  const own = files.filter((file) => !file.includes('node_modules'))
  const names = new Set(own.map((file) => basename(file)))
  const missing: string[] = []
  for (const file of own.filter((file) => /\.tsx?$/.test(file))) {
    const comments = (await Bun.file(join(root, file)).text()).match(/^\s*(?:\/\/|\/?\*).*$/gm) ?? []
    for (const [named] of comments.join('\n').matchAll(/\b[a-z0-9-]+\.tsx?\b/g))
      if (!names.has(named)) missing.push(`${file} names ${named}`)
  }
  expect(missing).toEqual([])
})
