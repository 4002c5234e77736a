// The library of the real server: migration of older files, acknowledged changes after kill -9, and a lost database that is
// restored from library.json.

import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTestFolder, databaseKind } from '../support/database.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { until } from '../support/until.ts'

async function send({ url }: RunningServer, method: string, path: string, body?: object) {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response.json()
}

async function seen(server: RunningServer) {
  const settings = await send(server, 'GET', '/settings/captures')
  const { items } = await send(server, 'GET', '/dictionary')
  return [settings.typing_wpm, settings.trash_days, items.map(({ word }: { word: string }) => word)]
}

test.skipIf(databaseKind === 'external')(
  'migrates files of an earlier version, and loses no acknowledged change to kill -9 or with the database',
  async () => {
    await using folder = await createTestFolder()
    const { dataFolder } = folder
    const inFolder = (name: string) => join(dataFolder, name)
    await writeFile(inFolder('settings.json'), '{"typingWpm": 61}')

    const first = await startServer({ dataFolder })
    await until(() => !existsSync(inFolder('settings.json')))
    await send(first, 'POST', '/dictionary', { word: 'Kubernetes' })
    await send(first, 'PATCH', '/settings/captures', { trash_days: 3 })
    await first.kill()

    const second = await startServer({ dataFolder })
    expect(await seen(second)).toEqual([61, 3, ['Kubernetes']])
    const copied = async () =>
      JSON.parse(await readFile(inFolder('library.json'), 'utf8')).settings.trashDays === 3
    await until(copied)
    await second.kill()
    await rm(inFolder('postgres-18'), { recursive: true })

    await using third = await startServer({ dataFolder })
    expect(await seen(third)).toEqual([61, 3, ['Kubernetes']])
  },
  300_000,
)
