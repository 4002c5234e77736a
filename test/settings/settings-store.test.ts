// The settings on a real disk: kept, restored, and never half changed.

import { afterAll, expect, test } from 'bun:test'
import { copyFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLog } from '../../src/lib/log.ts'
import { fail, succeed } from '../../src/lib/result.ts'
import { DEFAULT_SETTINGS } from '../../src/settings/settings.ts'
import { EARLIER_SETTINGS_FILE, openSettings, SETTINGS_FILE } from '../../src/settings/settings-store.ts'

const root = await mkdtemp(join(tmpdir(), 'dictation settings '))
afterAll(() => rm(root, { recursive: true, force: true }))

const freshFolder = () => mkdtemp(join(root, 'data '))
const open = (dataFolder: string) => openSettings({ dataFolder, log: silentLog })

test('are the defaults at first, without a file', async () => {
  const folder = await freshFolder()
  expect((await open(folder)).current()).toEqual(DEFAULT_SETTINGS)
  expect(await Bun.file(join(folder, SETTINGS_FILE)).exists()).toBe(false)
})

test('a change is there at once, and after a restart', async () => {
  const folder = await freshFolder()
  const settings = await open(folder)
  await settings.change({ language: 'de', typingWpm: 60 })
  expect(settings.current()).toEqual({ ...DEFAULT_SETTINGS, language: 'de', typingWpm: 60 })
  expect((await open(folder)).current()).toEqual(settings.current())
  expect((await stat(join(folder, SETTINGS_FILE))).mode & 0o077).toBe(0)
})

test('changes that are made at the same time are all kept', async () => {
  const folder = await freshFolder()
  const settings = await open(folder)
  await Promise.all([
    settings.change({ language: 'fr' }),
    settings.change({ trashDays: 3 }),
    settings.change({ languages: ['en', 'fr'] }),
  ])
  expect((await open(folder)).current()).toMatchObject({
    language: 'fr',
    trashDays: 3,
    languages: ['en', 'fr'],
  })
})

test('the state before the last change can be copied back', async () => {
  const folder = await freshFolder()
  const settings = await open(folder)
  await settings.change({ typingWpm: 50 })
  await settings.change({ typingWpm: 90 })
  await copyFile(join(folder, EARLIER_SETTINGS_FILE), join(folder, SETTINGS_FILE))
  expect((await open(folder)).current().typingWpm).toBe(50)
})

test('a spoiled file gives way to the state before', async () => {
  const folder = await freshFolder()
  const settings = await open(folder)
  await settings.change({ typingWpm: 50 })
  await settings.change({ typingWpm: 90 })
  await writeFile(join(folder, SETTINGS_FILE), '{"typingWpm": 9')
  expect((await open(folder)).current().typingWpm).toBe(50)
})

test('a value that is wrong in the file is the default, and the others count', async () => {
  const folder = await freshFolder()
  await writeFile(join(folder, SETTINGS_FILE), '{"typingWpm": -3, "language": "de", "unknown": true}')
  expect((await open(folder)).current()).toEqual({ ...DEFAULT_SETTINGS, language: 'de' })
})

test('whoever listens is told of what changed, and not of what did not', async () => {
  const settings = await open(await freshFolder())
  const heard: [number, number][] = []
  const stop = settings.onChange((now, before) => heard.push([before.trashDays, now.trashDays]))
  await settings.change({ trashDays: 7 })
  await settings.change({ trashDays: 1 })
  stop()
  await settings.change({ trashDays: 2 })
  expect(heard).toEqual([[7, 1]])
})

test('the file is readable JSON with every setting', async () => {
  const folder = await freshFolder()
  await (await open(folder)).change({ autoRefine: false })
  const stored = JSON.parse(await readFile(join(folder, SETTINGS_FILE), 'utf8'))
  expect(stored).toEqual({ ...DEFAULT_SETTINGS, autoRefine: false })
})

test('a change with something elsewhere fails whole when that fails', async () => {
  const folder = await freshFolder()
  const settings = await open(folder)
  await settings.change({ trashDays: 3 })
  const refused = await settings.changeWith(
    { trashDays: 9 },
    { styleId: 'style', carryOut: async () => fail('gone') },
  )
  expect(refused).toEqual(fail('gone'))
  const broken = settings.changeWith(
    { trashDays: 9 },
    { styleId: 'style', carryOut: () => Promise.reject(new Error('away')) },
  )
  expect(broken).rejects.toThrow('away')
  await broken.catch(() => {})
  expect(settings.current().trashDays).toBe(3)
  const after = await open(folder)
  expect([after.current().trashDays, after.unfinished()]).toEqual([3, null])
})

test('a change that a crash cut off is unfinished at the next start, until it is finished', async () => {
  const folder = await freshFolder()
  const settings = await open(folder)
  let crashed: Awaited<ReturnType<typeof open>> | null = null
  const carryOut = async () => {
    crashed = await open(folder)
    return succeed(null)
  }
  await settings.changeWith({ trashDays: 9 }, { styleId: 'style', carryOut })
  expect([crashed!.current().trashDays, crashed!.unfinished()]).toEqual([9, 'style'])
  await crashed!.finish()
  expect((await open(folder)).unfinished()).toBeNull()
  expect((await open(folder)).current().trashDays).toBe(9)
})
