import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Database } from '../../db/database.ts'
import { findLibrary, raiseRevision, writingStyleTable } from '../../db/library.ts'
import { BUILTIN_STYLES } from '../../src/writing/builtin-styles.ts'
import { openWritingStyles, type WritingStyles } from '../../src/writing/styles.ts'
import { createTestFolder, type TestFolder } from '../support/database.ts'
import { libraryPlace } from '../support/library.ts'

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

const open = async (onDatabase = database): Promise<WritingStyles> =>
  openWritingStyles(await libraryPlace({ database: onDatabase, dataFolder: folder.dataFolder, clock: tick }))

const inTable = async () =>
  (await database.run(writingStyleTable.list)).map(({ name, isDefault }) => ({ name, isDefault }))
const inMemory = (styles: WritingStyles) => styles.list().map(({ name, isDefault }) => ({ name, isDefault }))

/** Memory and table hold the same styles, with one default. */
async function expectAgreement(styles: WritingStyles): Promise<void> {
  expect(await inTable()).toEqual(inMemory(styles))
  expect(styles.list().filter(({ isDefault }) => isDefault).length).toBe(1)
}

async function made(styles: WritingStyles, name: string) {
  const created = await styles.create({ name })
  if (!created.ok) throw new Error(created.failure.message)
  return created.value
}

test('the first start has the seven built-in styles, and one is the default', async () => {
  const styles = await open()
  expect(styles.list().map(({ name }) => name)).toEqual([
    ...['Default', 'Verbatim', 'Formal', 'Email', 'Chat', 'Notes', 'Code'],
  ])
  expect(styles.default().name).toBe('Default')
  await expectAgreement(styles)
})

describe('changes', () => {
  test('creating, changing and deleting a style updates memory and table', async () => {
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

  test('a built-in style can be changed and reset', async () => {
    const styles = await open()
    const before = styles.get(EMAIL)!
    await styles.change(EMAIL, { name: 'Post', instructions: 'Be brief.', enabled: false })
    const reset = await styles.reset(EMAIL)
    expect(reset).toEqual({ ok: true, value: { ...before, updatedAt: expect.any(Date) } })
    await expectAgreement(styles)
  })

  test('a style that becomes the default is enabled, and replaces the previous default', async () => {
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

  test('concurrent changes take turns and leave one default', async () => {
    const styles = await open()
    await Promise.all([...BUILTIN_STYLES.map(({ id }) => styles.setDefault(id)), made(styles, 'At once')])
    await expectAgreement(styles)
    const mine = styles.list().find(({ name }) => name === 'At once')!
    await styles.setDefault(DEFAULT)
    await styles.remove(mine.id)
  })

  test('counts uses, and retains the count across a change and a restart', async () => {
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

describe('rejections', () => {
  const failureOf = async (changed: ReturnType<WritingStyles['change']>) => {
    const result = await changed
    return result.ok ? 'done' : result.failure.code
  }

  test('rejects the name of another style, ignoring case and accents', async () => {
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

  test('rejects deleting a built-in or default style, and disabling the default', async () => {
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

  test('a change that cannot be stored changes nothing', async () => {
    const styles = await open()
    const away = { ...database, transaction: () => Promise.reject(new Error('away')) }
    const broken = await open(away)
    await expect(broken.change(EMAIL, { description: 'lost' })).rejects.toThrow('away')
    expect(broken.get(EMAIL)?.description).not.toBe('lost')
    await expectAgreement(styles)
  })
})

describe('after a restart', () => {
  test('writes nothing if nothing needs repair', async () => {
    await open()
    const before = await database.run(findLibrary)
    await open()
    expect(await database.run(findLibrary)).toEqual(before)
  })

  test('adds a built-in style of a new version, and keeps the default', async () => {
    const before = await open()
    await before.setDefault(VERBATIM)
    await database.transaction(async (tx) => {
      await writingStyleTable.remove(tx, [EMAIL])
      await raiseRevision(tx, 1)
    })
    const after = await open()
    expect(after.list().map(({ name }) => name)).toEqual(before.list().map(({ name }) => name))
    expect(after.default().id).toBe(VERBATIM)
    await expectAgreement(after)
    await after.setDefault(DEFAULT)
  })
})
