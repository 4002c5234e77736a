import { afterAll, expect, test } from 'bun:test'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Type } from '@sinclair/typebox'
import { silentLog } from '../../src/lib/log.ts'
import { commitMirrored, createMirror } from '../../src/writing/mirror.ts'

const folder = await mkdtemp(join(tmpdir(), 'dictation-mirror-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const schema = Type.Object({
  id: Type.String(),
  aliases: Type.Array(Type.String()),
  usedAt: Type.Union([Type.Date(), Type.Null()]),
  createdAt: Type.Date(),
})

const clock = () => new Date('2026-05-06T07:08:09.123Z')
let files = 0
const fresh = () => {
  files += 1
  const name = `rows-${files}.json`
  const path = join(folder, name)
  return { name, path, mirror: createMirror({ path, schema, log: silentLog, clock }) }
}

const row = {
  id: 'Straße ✓\u2028',
  aliases: ['a', 'b'],
  usedAt: null,
  createdAt: new Date('2026-01-02T03:04:05.678Z'),
}

test('what is written comes back, moments as dates', async () => {
  const { mirror } = fresh()
  const rows = [row, { ...row, id: '2', usedAt: new Date('2026-01-02T00:00:00.000Z') }]
  await mirror.write(rows)
  expect(await mirror.read()).toEqual(rows)
  await mirror.write([])
  expect(await mirror.read()).toEqual([])
})

test('a file that is not there is null', async () => {
  expect(await fresh().mirror.read()).toBeNull()
})

test('the file is plain JSON with a row on each line', async () => {
  const { mirror, path } = fresh()
  await mirror.write([row, row])
  const text = await readFile(path, 'utf8')
  expect(text.trimEnd().split('\n')).toHaveLength(4)
  expect(JSON.parse(text).rows).toHaveLength(2)
})

test('a file edited by hand may begin with a byte order mark and have keys that are not known', async () => {
  const { mirror, path } = fresh()
  const edited = { ...row, createdAt: '2026-01-02T03:04:05Z', note: 'mine' }
  await writeFile(path, `\ufeff${JSON.stringify({ format: 1, rows: [edited], note: 'mine' })}`)
  expect(await mirror.read()).toEqual([{ ...row, createdAt: new Date('2026-01-02T03:04:05Z') }])
})

test.each([
  ['nothing', ''],
  ['half of it', '{"format": 1, "rows": [{"id": "1", "ali'],
  ['something else', '[1, 2]'],
  ['another format', '{"format": 2, "rows": []}'],
  ['a row without its keys', '{"format": 1, "rows": [{"id": "1"}]}'],
  [
    'a moment that there is not',
    '{"format": 1, "rows": [{"id": "1", "aliases": [], "usedAt": null, "createdAt": "2026-99-01T00:00:00Z"}]}',
  ],
])('a file that holds %s is moved aside and kept', async (_what, content) => {
  const { mirror, name, path } = fresh()
  await writeFile(path, content)
  expect(await mirror.read()).toBeNull()
  const left = (await readdir(folder)).filter((one) => one.startsWith(name))
  expect(left).toEqual([`${name}.spoiled-2026-05-06T07-08-09.123Z`])
  expect(await readFile(join(folder, left[0]!), 'utf8')).toBe(content)
  await mirror.write([row])
  expect(await mirror.read()).toEqual([row])
})

test('bytes that are no text are moved aside', async () => {
  const { mirror, path } = fresh()
  await writeFile(path, Buffer.from([0x7b, 0xff, 0xfe, 0x7d]))
  expect(await mirror.read()).toBeNull()
})

test('says in the log what is wrong with a file, and never what stands in it', async () => {
  const { path } = fresh()
  const lines: Record<string, unknown>[] = []
  const log = { ...silentLog, warn: (fields: object) => void lines.push(fields as Record<string, unknown>) }
  const told = createMirror({ path, schema, log, clock })
  await writeFile(path, JSON.stringify({ format: 1, rows: [{ ...row, aliases: 'my secret' }] }))
  expect(await told.read()).toBeNull()
  expect(lines[0]!.reason).toContain('/rows/0/aliases')
  expect(JSON.stringify(lines)).not.toContain('my secret')
})

test('a change that cannot be taken back in the file is in the log, and the first failure goes on', async () => {
  const { path } = fresh()
  const reasons: string[] = []
  const log = {
    ...silentLog,
    error: (fields: object) => void reasons.push((fields as { reason: string }).reason),
  }
  await mkdir(path)
  const spoiled = createMirror({ path, schema, log, clock })
  const database = { transaction: async (work: (tx: never) => Promise<void>) => work(null as never) }
  const change = commitMirrored(
    { database: database as never, mirror: spoiled },
    { before: [row], next: [] },
    async () => {
      throw new Error('the database is away')
    },
  )
  expect(change).rejects.toThrow('the database is away')
  await change.catch(() => {})
  expect(reasons).toHaveLength(1)
})
