// The writing styles on a real database and a real file: changes, refusals, and what is left after a start.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../../db/database.ts'
import { listWritingStyles } from '../../db/writing-styles.ts'
import { silentLog } from '../../src/lib/log.ts'
import { BUILTIN_STYLES } from '../../src/writing/builtin-styles.ts'
import { WRITING_STYLES_FILE } from '../../src/writing/style-shelf.ts'
import { openWritingStyles, type WritingStyles } from '../../src/writing/styles.ts'
import { createTestFolder, type TestFolder } from '../support/database.ts'

const [DEFAULT, VERBATIM, , EMAIL] = BUILTIN_STYLES.map(({ id }) => id) as [string, string, string, string]

let folder: TestFolder
let database: Database
let time = Date.parse('2026-11-22T12:00:00Z')

beforeAll(async () => {
  folder = await createTestFolder()
  database = await folder.open()
})

afterAll(async () => {
  await database.close()
  await folder[Symbol.asyncDispose]()
})

function tick(): Date {
  time += 1000
  return new Date(time)
}

const open = (): Promise<WritingStyles> =>
  openWritingStyles({
    ...{ database, dataFolder: folder.dataFolder, log: silentLog },
    clock: tick,
  })

const file = () => join(folder.dataFolder, WRITING_STYLES_FILE)
const readMirror = async (): Promise<{ rows: { id: string; name: string; isDefault: boolean }[] }> =>
  JSON.parse(await readFile(file(), 'utf8'))
const inTable = async () =>
  (await database.run(listWritingStyles)).map(({ name, isDefault }) => ({ name, isDefault }))
const inMemory = (styles: WritingStyles) => styles.list().map(({ name, isDefault }) => ({ name, isDefault }))

/** Memory, table and file say the same. */
async function expectAgreement(styles: WritingStyles): Promise<void> {
  expect(await inTable()).toEqual(inMemory(styles))
  const { rows } = await readMirror()
  expect(rows.map(({ name, isDefault }) => ({ name, isDefault }))).toEqual(inMemory(styles))
  expect(styles.list().filter(({ isDefault }) => isDefault).length).toBe(1)
}

async function made(styles: WritingStyles, name: string) {
  const created = await styles.create({ name })
  if (!created.ok) throw new Error(created.failure.message)
  return created.value
}

test('the seven built-in styles are there at the first start, and one is the default', async () => {
  const styles = await open()
  expect(styles.list().map(({ name }) => name)).toEqual([
    ...['Default', 'Verbatim', 'Formal', 'Email', 'Chat', 'Notes', 'Code'],
  ])
  expect(styles.default().name).toBe('Default')
  await expectAgreement(styles)
})

describe('changes', () => {
  test('a new style, changed and removed, is so in memory, table and file', async () => {
    const styles = await open()
    const style = await made(styles, 'Minutes')
    expect(style).toMatchObject({
      kind: 'custom',
      isDefault: false,
      tone: 'neutral',
      enabled: true,
      usageCount: 0,
    })
    await expectAgreement(styles)
    const changed = await styles.change(style.id, { name: 'Protocol', apps: ['Zoom'] })
    expect(changed.ok && changed.value).toMatchObject({
      name: 'Protocol',
      apps: ['Zoom'],
      createdAt: style.createdAt,
    })
    expect(changed.ok && changed.value.updatedAt > style.updatedAt).toBe(true)
    await expectAgreement(styles)
    expect((await styles.remove(style.id)).ok).toBe(true)
    expect(styles.get(style.id)).toBeNull()
    await expectAgreement(styles)
  })

  test('a built-in style can be changed, and reset to what it was', async () => {
    const styles = await open()
    const before = styles.get(EMAIL)!
    await styles.change(EMAIL, { name: 'Post', instructions: 'Be brief.', enabled: false })
    const reset = await styles.reset(EMAIL)
    expect(reset).toEqual({ ok: true, value: { ...before, updatedAt: expect.any(Date) } })
    await expectAgreement(styles)
  })

  test('a style that becomes the default is enabled, and the one before is none any more', async () => {
    const styles = await open()
    await styles.change(VERBATIM, { enabled: false })
    expect(await styles.setDefault(VERBATIM)).toMatchObject({
      ok: true,
      value: { isDefault: true, enabled: true },
    })
    expect(styles.default().id).toBe(VERBATIM)
    await expectAgreement(styles)
    await styles.setDefault(DEFAULT)
    await styles.setDefault(DEFAULT)
    await expectAgreement(styles)
  })

  test('changes at once take turns, and one default is left', async () => {
    const styles = await open()
    await Promise.all([...BUILTIN_STYLES.map(({ id }) => styles.setDefault(id)), made(styles, 'At once')])
    await expectAgreement(styles)
    const mine = styles.list().find(({ name }) => name === 'At once')!
    await styles.setDefault(DEFAULT)
    await styles.remove(mine.id)
  })

  test('uses are counted, and neither a change nor a start forgets them', async () => {
    const styles = await open()
    const before = styles.get(EMAIL)!.usageCount
    styles.noteUse(EMAIL)
    const changing = styles.change(EMAIL, { description: 'For letters.' })
    styles.noteUse(EMAIL)
    await changing
    expect(styles.get(EMAIL)).toMatchObject({ usageCount: before + 2, lastUsedAt: expect.any(Date) })
    styles.noteUse(EMAIL)
    await styles.close()
    expect((await open()).get(EMAIL)?.usageCount).toBe(before + 3)
    await styles.reset(EMAIL)
  })
})

describe('refusals', () => {
  const failureOf = async (changed: ReturnType<WritingStyles['change']>) => {
    const result = await changed
    return result.ok ? 'done' : result.failure.code
  }

  test('refuses a name that another style has, whatever its case and accents', async () => {
    const styles = await open()
    const taken = await styles.create({ name: ' ÉMAIL ' })
    expect(taken).toMatchObject({
      ok: false,
      failure: { code: 'writing_style_exists', conflictingId: EMAIL },
    })
    expect(await failureOf(styles.change(VERBATIM, { name: 'e-mail' }))).toBe('done')
    expect(await failureOf(styles.change(VERBATIM, { name: 'code' }))).toBe('writing_style_exists')
    expect(await failureOf(styles.change(VERBATIM, { name: 'VERBATIM' }))).toBe('done')
    await styles.reset(VERBATIM)
    await expectAgreement(styles)
  })

  test('refuses to delete what is built in or the default, and to disable the default', async () => {
    const styles = await open()
    const style = await made(styles, 'Mine')
    await styles.setDefault(style.id)
    const before = inMemory(styles)
    expect(await failureOf(styles.remove(EMAIL))).toBe('style_is_built_in')
    expect(await failureOf(styles.remove(style.id))).toBe('style_is_default')
    expect(await failureOf(styles.change(style.id, { enabled: false }))).toBe('style_is_default')
    expect(await failureOf(styles.reset(style.id))).toBe('style_is_custom')
    expect(await failureOf(styles.change(crypto.randomUUID(), {}))).toBe('writing_style_not_found')
    expect(inMemory(styles)).toEqual(before)
    await styles.setDefault(DEFAULT)
    await styles.remove(style.id)
  })

  test('a change that cannot be written changes nothing', async () => {
    const styles = await open()
    const broken = await openWritingStyles({
      ...{ dataFolder: folder.dataFolder, log: silentLog, clock: () => new Date(time) },
      database: { ...database, transaction: () => Promise.reject(new Error('away')) },
    })
    await expect(broken.change(EMAIL, { description: 'lost' })).rejects.toThrow('away')
    await expectAgreement(styles)
    expect((await readFile(file(), 'utf8')).includes('lost')).toBe(false)
  })
})

describe('after a start', () => {
  test('the file wins over the table: a power cut may have taken back what was committed', async () => {
    const styles = await open()
    const style = await made(styles, 'Kept')
    const kept = await readFile(file(), 'utf8')
    await styles.remove(style.id)
    await writeFile(file(), kept)
    const after = await open()
    expect(after.get(style.id)?.name).toBe('Kept')
    await expectAgreement(after)
    await after.remove(style.id)
  })

  test('a spoiled file is moved aside and written again from the table', async () => {
    const styles = await open()
    const style = await made(styles, 'Safe')
    await writeFile(file(), '{"format": 1, "rows": [{"name": "half')
    const after = await open()
    expect(after.get(style.id)?.name).toBe('Safe')
    await expectAgreement(after)
    expect(
      (await readdir(folder.dataFolder)).some((name) => name.startsWith(`${WRITING_STYLES_FILE}.spoiled-`)),
    ).toBe(true)
    await after.remove(style.id)
  })

  test('a file edited by hand is put in order: built-ins, own ids and names, one default', async () => {
    await open()
    const { rows } = await readMirror()
    const notes = rows.find(({ name }) => name === 'Notes')
    const copy = { ...notes!, id: '0197aaaa-0000-7000-8000-000000000001', kind: 'builtin' }
    const others = rows.filter(({ id }) => id !== EMAIL)
    const edited = [...others, copy, copy].map((row) => ({ ...row, isDefault: true }))
    await writeFile(file(), JSON.stringify({ format: 1, rows: edited }))
    const after = await open()
    expect(after.list().map(({ name }) => name)).toEqual([
      ...['Default', 'Verbatim', 'Formal', 'Email', 'Chat', 'Notes', 'Code', 'Notes (2)'],
    ])
    expect(after.get(copy.id)?.kind).toBe('custom')
    await expectAgreement(after)
    await after.remove(copy.id)
  })
})
