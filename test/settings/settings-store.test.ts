// The settings on a real database: kept over a start, and never half changed.
// What a data folder of an earlier version brings along is test/library/move-in.test.ts.

import { afterAll, expect, test } from 'bun:test'
import { saveLibrary } from '../../db/library.ts'
import { silentLog } from '../../src/lib/log.ts'
import { fail, succeed } from '../../src/lib/result.ts'
import { DEFAULT_SETTINGS } from '../../src/settings/settings.ts'
import { createSettings } from '../../src/settings/settings-store.ts'
import { createTestFolder } from '../support/database.ts'
import { openTestSettings } from '../support/library.ts'

const folder = await createTestFolder()
const database = await folder.open()
const { dataFolder } = folder
afterAll(async () => {
  await database.close()
  await folder[Symbol.asyncDispose]()
})

const open = () => openTestSettings({ database, dataFolder })
/** As after the first start. */
async function fresh() {
  const settings = await open()
  await settings.change(DEFAULT_SETTINGS)
  return settings
}

test('are the defaults at first, and unknown before a database is open', async () => {
  expect((await open()).current()).toEqual(DEFAULT_SETTINGS)
  expect(() => createSettings({ log: silentLog }).current()).toThrow('no database is open')
})

test('a change is there at once, and after a start', async () => {
  const settings = await fresh()
  const changed = await settings.change({ language: 'de', typingWpm: 60 })
  expect(changed).toEqual({ ...DEFAULT_SETTINGS, language: 'de', typingWpm: 60 })
  expect(settings.current()).toEqual(changed)
  expect((await open()).current()).toEqual(changed)
})

test('changes that are made at the same time are all kept', async () => {
  const settings = await fresh()
  await Promise.all([
    settings.change({ language: 'fr' }),
    settings.change({ trashDays: 3 }),
    settings.change({ languages: ['en', 'fr'] }),
  ])
  expect((await open()).current()).toMatchObject({
    language: 'fr',
    trashDays: 3,
    languages: ['en', 'fr'],
  })
})

test('a stored value that is wrong is the default, and the others count', async () => {
  await fresh()
  const stored = { typingWpm: -3, language: 'de', unknown: true }
  await database.run((orm) => saveLibrary(orm, { settings: stored }))
  expect((await open()).current()).toEqual({ ...DEFAULT_SETTINGS, language: 'de' })
})

test('a listener is called for each change, and not where nothing changed', async () => {
  const settings = await fresh()
  const heard: [number, number][] = []
  const stop = settings.onChange((now, before) => heard.push([before.trashDays, now.trashDays]))
  await settings.change({ trashDays: 7 })
  await settings.change({ trashDays: 1 })
  stop()
  await settings.change({ trashDays: 2 })
  expect(heard).toEqual([[7, 1]])
})

test('a change together with another fails whole when either fails', async () => {
  const settings = await fresh()
  await settings.change({ trashDays: 3 })
  expect(await settings.changeWith({ trashDays: 9 }, () => fail('gone'))).toEqual(fail('gone'))
  let isShown = false
  const broken = settings.changeWith({ trashDays: 9 }, () =>
    succeed({
      save: () => Promise.reject(new Error('away')),
      apply() {
        isShown = true
      },
    }),
  )
  await expect(broken).rejects.toThrow('away')
  expect([isShown, settings.current().trashDays, (await open()).current().trashDays]).toEqual([false, 3, 3])
})
