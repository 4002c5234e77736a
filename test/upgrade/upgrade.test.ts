// A data folder of the version before, and a server of this tree on it: nothing is lost, whenever the first start is killed.
// The folder is folder.tar.gz, what the version before told about it is expected.json; both were made by make-folder.ts.

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { watch } from 'node:fs'
import { resolve } from 'node:path'
import { databaseKind } from '../support/database.ts'
import { startServer } from '../support/server.ts'
import { until } from '../support/until.ts'
import { type Answers, answersOf, differences } from './answers.ts'
import { workIsOver } from './client.ts'
import { afterRebuild } from './exceptions.ts'
import { EXPECTED, type Expected, NO_WEBHOOK, type Unpacked, unpackFolder } from './folder.ts'
import { isDelivered, restoredOf, type Started, startOn } from './start.ts'

setDefaultTimeout(300_000)

const expected: Expected = await Bun.file(EXPECTED).json()
const { token, scope } = expected
const { work } = scope
const tree = resolve(import.meta.dir, '../..')

let unpacked: Unpacked
beforeAll(async () => {
  unpacked = await unpackFolder()
})
afterAll(() => unpacked[Symbol.asyncDispose]())

/** All that is compared, when no work is left. */
async function answersWhenOver(started: Started): Promise<Answers> {
  await workIsOver(started.client)
  return answersOf(started.client, scope)
}

/** The settings name the receiver of this test. */
const expectedOf = ({ webhookUrl }: Started): Answers =>
  JSON.parse(JSON.stringify(expected.answers).replaceAll(NO_WEBHOOK, webhookUrl))

async function rebuild(dataFolder: string): Promise<void> {
  const script = [process.execPath, resolve(tree, 'scripts/rebuild.ts')]
  const env = { ...process.env, DICTATION_DATA_DIR: dataFolder }
  const child = Bun.spawn(script, { env, stdout: 'pipe', stderr: 'pipe' })
  const [code, said] = await Promise.all([child.exited, new Response(child.stderr).text()])
  if (code !== 0) throw new Error(`npm run rebuild ended with ${code}: ${said}`)
}

const here = test.skipIf(databaseKind === 'external')

here('a folder of the version before shows all that it showed, and finishes its work', async () => {
  const dataFolder = await unpacked.copy()
  {
    await using started = await startOn(dataFolder, token)
    expect(differences(expectedOf(started), await answersWhenOver(started))).toEqual([])
    await isDelivered(started, expected, expected.answers)
    expect(started.unsigned).toEqual([])
  }
  // What the files of this version hold alone.
  await rebuild(dataFolder)
  await using started = await startOn(dataFolder, token)
  const found = await answersWhenOver(started)
  expect(differences(afterRebuild(expectedOf(started), work), afterRebuild(found, work))).toEqual([])
  expect(await restoredOf(started.client, expected)).toEqual(expected.restored)
})

here('the first start is killed again and again, and the last one loses nothing', async () => {
  const dataFolder = await unpacked.copy()
  for (const moment of MOMENTS) await killAt(dataFolder, moment)
  await using started = await startOn(dataFolder, token)
  expect(differences(expectedOf(started), await answersWhenOver(started))).toEqual([])
  const { 'deliveries that waited': waited } = expected.answers
  await isDelivered(started, expected, { 'deliveries that waited': waited })
})

here('npm run rebuild on a folder of the version before keeps what its files hold', async () => {
  const dataFolder = await unpacked.copy()
  await rebuild(dataFolder)
  await using started = await startOn(dataFolder, token)
  const found = await answersWhenOver(started)
  expect(differences(afterRebuild(expectedOf(started), work), afterRebuild(found, work))).toEqual([])
  expect(await restoredOf(started.client, expected)).toEqual(expected.restored)
})

/** After so many changes of files, or so many lines of the log behind the one that says that the server is ready. */
type Moment = { changes?: number; lines: number }

const MOMENTS: Moment[] = [
  ...[1, 30, 100, 200, 300].map((changes) => ({ changes, lines: 0 })),
  ...[0, 3, 12, 25].map((lines) => ({ lines })),
]

async function killAt(dataFolder: string, moment: Moment): Promise<void> {
  const server = await startServer({ dataFolder, env: { DICTATION_TOKEN: 'auto' }, untilReady: false })
  const linesSinceReady = () => {
    const log = server.log()
    const ready = log.findIndex(({ msg }) => msg === 'ready')
    return ready === -1 ? -1 : log.length - 1 - ready
  }
  let changes = 0
  const watcher = watch(dataFolder, { recursive: true }, () => {
    // At once, in the middle of whatever it does.
    if (++changes === moment.changes) process.kill(server.pid, 'SIGKILL')
  })
  const isReached = () => changes >= (moment.changes ?? Infinity) || linesSinceReady() >= moment.lines
  await until(isReached, { what: () => `${JSON.stringify(moment)} after ${changes} changes` })
  console.log({ moment, changes, lines: linesSinceReady() })
  watcher.close()
  await server.kill()
}
