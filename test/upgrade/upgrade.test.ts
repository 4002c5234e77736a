// Starts a server of this tree on a data folder of an earlier version (folder.tar.gz) and compares its answers with those
// of that version (expected.json). make-folder.ts created both.

import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { watch } from 'node:fs'
import { resolve } from 'node:path'
import { databaseKind } from '../support/database.ts'
import { startServer } from '../support/server.ts'
import { until } from '../support/until.ts'
import { type Answers, answersOf, differences } from './answers.ts'
import { type Client, workIsOver } from './client.ts'
import { afterRebuild, withoutForgotten } from './exceptions.ts'
import { EXPECTED, type Expected, NO_WEBHOOK, type Unpacked, unpackFolder } from './folder.ts'
import { FOLDERS_TOKEN, restoredOf, startOn } from './start.ts'
import { type Receiver, receiveWebhooks } from './webhooks.ts'

setDefaultTimeout(600_000)

const expected: Expected = await Bun.file(EXPECTED).json()
const { token, scope, deliveries } = expected
const tree = resolve(import.meta.dir, '../..')

let unpacked: Unpacked
beforeAll(async () => {
  unpacked = await unpackFolder()
})
afterEach(() => unpacked.removeCopies())
afterAll(() => unpacked[Symbol.asyncDispose]())

/** With the test's receiver as webhook. */
const expectedWith = ({ url }: Receiver): Answers =>
  withoutForgotten(JSON.parse(JSON.stringify(expected.answers).replaceAll(NO_WEBHOOK, url)))

/** @returns the differing answers when no work is left */
async function differencesWhenOver(client: Client, webhook: Receiver): Promise<string[]> {
  await workIsOver(client)
  return differences(expectedWith(webhook), await answersOf(client, scope))
}

/**
 * The same, without the parts that a rebuilt database lacks.
 * @param running batches that ran at the time of the rebuild
 */
async function differencesAfterRebuild(
  client: Client,
  webhook: Receiver,
  running: string[],
): Promise<string[]> {
  await workIsOver(client)
  const found = await answersOf(client, scope)
  return differences(afterRebuild(expectedWith(webhook), running), afterRebuild(found, running))
}

async function rebuild(dataFolder: string): Promise<void> {
  const script = [process.execPath, resolve(tree, 'src/cli/main.ts'), 'rebuild']
  const env = { ...process.env, DICTATION_DATA_DIR: dataFolder }
  const child = Bun.spawn(script, { env, stdout: 'pipe', stderr: 'pipe' })
  const [code, errors] = await Promise.all([child.exited, new Response(child.stderr).text()])
  if (code !== 0) throw new Error(`dictation rebuild exited with ${code}: ${errors}`)
}

const onEmbedded = test.skipIf(databaseKind === 'external')

onEmbedded(
  'returns the same answers on a data folder of an earlier version, and completes its work',
  async () => {
    const dataFolder = await unpacked.copy()
    await using webhook = await receiveWebhooks(dataFolder)
    {
      await using first = await startOn(dataFolder, token)
      expect(await differencesWhenOver(first.client, webhook)).toEqual([])
      await webhook.has(expected, [...deliveries.waited, ...deliveries.later])
      expect(webhook.unsigned).toEqual([])
    }
    // The second half reads only the files that this version wrote.
    await rebuild(dataFolder)
    await using second = await startOn(dataFolder, token)
    expect(await differencesAfterRebuild(second.client, webhook, [])).toEqual([])
    // A later version may add fields.
    expect(await restoredOf(second.client, expected)).toMatchObject(expected.restored)
  },
)

onEmbedded('loses nothing when the first start is killed at several moments', async () => {
  const dataFolder = await unpacked.copy()
  await using webhook = await receiveWebhooks(dataFolder)
  for (const moment of MOMENTS) await killAt(dataFolder, moment)
  await using last = await startOn(dataFolder, token)
  expect(await differencesWhenOver(last.client, webhook)).toEqual([])
  await webhook.has(expected, deliveries.waited)
})

onEmbedded('npm run rebuild restores a data folder of an earlier version from its files', async () => {
  const dataFolder = await unpacked.copy()
  await using webhook = await receiveWebhooks(dataFolder)
  await rebuild(dataFolder)
  await using started = await startOn(dataFolder, token)
  expect(await differencesAfterRebuild(started.client, webhook, scope.work.batchIds)).toEqual([])
})

/** Kill at this file change, or at this log line after `ready`, whichever comes first. */
type Moment = { changes?: number; lines: number }

const MOMENTS: Moment[] = [
  ...[1, 20, 50, 90].map((changes) => ({ changes, lines: 0 })),
  ...[3, 15].map((lines) => ({ lines })),
]

async function killAt(dataFolder: string, { changes = Infinity, lines }: Moment): Promise<void> {
  const server = await startServer({ dataFolder, env: FOLDERS_TOKEN, untilReady: false })
  const linesSinceReady = () => {
    const log = server.log()
    const ready = log.findIndex(({ msg }) => msg === 'ready')
    return ready === -1 ? -1 : log.length - 1 - ready
  }
  let seen = 0
  const watcher = watch(dataFolder, { recursive: true }, () => {
    // Kill here, because polling would miss the moment.
    if (++seen === changes) process.kill(server.pid, 'SIGKILL')
  })
  const isReached = () => seen >= changes || linesSinceReady() >= lines
  await until(isReached, { what: () => `change ${changes}, or line ${lines} after it is ready` })
  watcher.close()
  await server.kill()
}
