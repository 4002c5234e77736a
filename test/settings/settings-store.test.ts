// Settings from data folders of earlier versions are tested in test/library/move-in.test.ts.

import { afterAll, expect, test } from 'bun:test'
import { saveSettings } from '../../db/library.ts'
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
/** The settings as after the first start. */
async function fresh() {
  const settings = await open()
  await settings.change(DEFAULT_SETTINGS)
  return settings
}

test('are the defaults at first, and throw before a database is open', async () => {
  expect((await open()).current()).toEqual(DEFAULT_SETTINGS)
  expect(() => createSettings({ log: silentLog }).current()).toThrow('while no database is open')
})

test('a change is visible at once, and after a restart', async () => {
  const settings = await fresh()
  const changed = await settings.change({ language: 'de', typingWpm: 60 })
  expect(changed).toEqual({ ...DEFAULT_SETTINGS, language: 'de', typingWpm: 60 })
  expect(settings.current()).toEqual(changed)
  expect((await open()).current()).toEqual(changed)
})

test('stores all of several concurrent changes', async () => {
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

test('replaces an invalid stored value by its default and uses the others', async () => {
  await fresh()
  const stored = { typingWpm: -3, language: 'de', unknown: true }
  await database.run((orm) => saveSettings(orm, stored))
  expect((await open()).current()).toEqual({ ...DEFAULT_SETTINGS, language: 'de' })
})

test('calls a listener for each change, and not if nothing changed', async () => {
  const settings = await fresh()
  const changes: [number, number][] = []
  const stop = settings.onChange((now, before) => changes.push([before.trashDays, now.trashDays]))
  await settings.change({ trashDays: 7 })
  await settings.change({ trashDays: 1 })
  stop()
  await settings.change({ trashDays: 2 })
  expect(changes).toEqual([[7, 1]])
})

test('two changes in one transaction both fail when either fails', async () => {
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
