// Creates folder.tar.gz, the data folder of one version, and expected.json, the answers of its server. It was run once,
// without options, at commit 5d95547 (the last one before issue 33). Do not run it on a later version.

import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { optionsOrExit } from '../../scripts/options.ts'
import { fakedClock, findLibrary } from '../clock/faked-clock.ts'
import { childrenOf, isRunning } from '../support/children.ts'
import { sha256 } from '../support/kept-view.ts'
import { startServer } from '../support/server.ts'
import { until } from '../support/until.ts'
import { answersOf, type Scope } from './answers.ts'
import { type Client, clientOf, type Json, workIsOver } from './client.ts'
import type { Work } from './exceptions.ts'
import { EXPECTED, type Expected, type Known, NO_WEBHOOK, PACKED, unpackFolder } from './folder.ts'
import { CLIPS, makeCaptures, type Named } from './make-captures.ts'
import { makeTaught } from './make-taught.ts'
import { makeBatches, makeUnfinished, type Unfinished } from './make-unfinished.ts'
import { packFolder } from './pack.ts'
import { restoredOf, startOn } from './start.ts'
import { receiveWebhooks } from './webhooks.ts'

const USAGE = `usage: node scripts/bun.mjs test/upgrade/make-folder.ts [--expected]
Creates folder.tar.gz and expected.json with the server of this tree. --expected keeps the folder and only requests
the answers again. Needs libfaketime (Debian: apt-get install faketime) and GNU tar.`

const DAY_MS = 24 * 3_600_000
const QUIET_MS = 5000

const { expected: isFolderKept } = optionsOrExit({ expected: { type: 'boolean' } }, USAGE)
const found = findLibrary()
if (found === null) throw new Error('libfaketime is not installed')
const library = found
// Stop all servers after a failure.
process.on('exit', () => {
  for (const child of childrenOf('self').filter(isRunning)) process.kill(child, 'SIGKILL')
})

if (isFolderKept) {
  const { named, scope, token, packedAt }: Expected = await Bun.file(EXPECTED).json()
  await writeExpected({ named, scope, token, packedAt })
} else {
  const root = await mkdtemp(join(tmpdir(), 'dictation-make-'))
  const dataFolder = join(root, 'data')
  await mkdir(dataFolder, { mode: 0o700 })
  try {
    const known = await makeFolder(dataFolder)
    await packFolder(dataFolder, PACKED)
    await Bun.write(EXPECTED, JSON.stringify(known))
    await writeExpected(known)
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

async function makeFolder(dataFolder: string): Promise<Known> {
  const old = await makeOldCaptures(dataFolder)
  const { server, client } = await start(dataFolder)
  await removeOldAudio(client, old)
  const taught = await makeTaught(client)
  const named: Named = { ...old, ...(await makeCaptures(client, taught)) }
  Object.assign(named, await makeBatches(client, named))
  await announceRetention(client)
  const { audio_path: path } = await client.get(`/captures/${named.withoutAudio}`)
  await server.stop()
  await rm(join(dataFolder, path))

  const last = await start(dataFolder)
  await last.client.patch('/settings/captures', { webhook_url: NO_WEBHOOK })
  const { named: more, jobs } = await makeUnfinished({ ...last, taught })
  return knownOf(
    await recordsIn(dataFolder),
    { named: { ...named, ...more }, jobs },
    {
      token: await tokenOf(dataFolder),
      packedAt: new Date().toISOString(),
      arrivingSha256: await arrivingIn(dataFolder),
    },
  )
}

async function start(dataFolder: string, env: Record<string, string> = {}) {
  const server = await startServer({ dataFolder, env: { DICTATION_TOKEN: 'auto', ...env } })
  return { server, client: clientOf(server, await tokenOf(dataFolder)) }
}

async function tokenOf(dataFolder: string): Promise<string> {
  return (await readFile(join(dataFolder, 'token'), 'utf8')).trim()
}

/** Captures of three days ago, because retention removes no new ones. */
async function makeOldCaptures(dataFolder: string): Promise<Named> {
  const clock = await fakedClock(join(tmpdir(), `dictation-clock-${process.pid}`), { library, passing: true })
  await clock.put((-3 * DAY_MS) / 1000)
  const { server, client } = await start(dataFolder, clock.env)
  const withoutOldAudio = await client.upload(CLIPS.short, { title: 'Three days ago', source: 'dictation' })
  const withOldAudio = await client.upload(CLIPS.human, { title: 'Three days ago, starred' })
  await client.patch(`/captures/${withOldAudio}`, { starred: true })
  await server.stop()
  return { withoutOldAudio, withOldAudio }
}

/** Retention removes the audio of old captures that are not starred. */
async function removeOldAudio({ get, patch }: Client, { withoutOldAudio }: Named): Promise<void> {
  await patch('/settings/captures', { audio_retention_days: 1 })
  await patch('/settings/captures', { audio_retention_days: 1, confirm_removal: true })
  await until(async () => (await get(`/captures/${withoutOldAudio}`)).audio_available === false, {
    what: 'retention to remove the audio',
  })
  await patch('/settings/captures', { audio_retention_days: null })
}

/** A removal of more than a tenth of all captures is announced, not done. */
async function announceRetention({ patch }: Client): Promise<void> {
  const { warnings } = await patch('/settings/captures', { max_captures: 5, audio_retention_days: 3000 })
  if (!warnings.some(({ code }: Json) => code === 'removal_announced'))
    throw new Error('no removal was announced')
}

function knownOf(
  records: Json[],
  { named, jobs }: Unfinished,
  rest: Pick<Known, 'token' | 'packedAt'> & { arrivingSha256: string },
): Known {
  const { token, packedAt, arrivingSha256 } = rest
  const now = Date.parse(packedAt)
  const dayAfter = (days: number) => new Date(now + days * DAY_MS).toISOString().slice(0, 10)
  const toDo = jobs.filter(({ state }) => state === 'waiting' || state === 'active')
  const isRetranscribed = (id: string) =>
    jobs.some((job) => job.capture_id === id && job.kind === 'retranscribe' && job.state === 'completed')
  const inBatch = Object.entries(named).flatMap(([name, id]) =>
    name.startsWith('inBatch') && !isRetranscribed(id) ? [id] : [],
  )
  const deletedIds = records.flatMap(({ state, remains }) => (state === 'deleted' ? [remains.id] : []))
  const work = {
    captureIds: [...new Set([...inBatch, ...toDo.map(({ capture_id: id }) => id)])],
    jobIds: toDo.map(({ id }) => id),
    batchIds: [named.runningBatch!, named.runningDeletions!],
    arrivingSha256,
    styleIds: [],
  }
  const jobIds = jobs.map(({ id }) => id)
  const scope: Scope = { work, jobIds, deletedIds, since: dayAfter(-30), until: dayAfter(2) }
  return { named, scope, token, packedAt }
}

async function arrivingIn(dataFolder: string): Promise<string> {
  const incoming = join(dataFolder, 'incoming')
  const [live] = (await readdir(incoming)).filter((name) => name.endsWith('.live'))
  return sha256(await Bun.file(join(incoming, live!)).bytes())
}

async function recordsIn(dataFolder: string): Promise<Json[]> {
  const names = await readdir(join(dataFolder, 'captures'), { recursive: true })
  const files = names.filter((name) => name.endsWith('.json')).sort()
  return Promise.all(files.map((name) => Bun.file(join(dataFolder, 'captures', name)).json()))
}

async function writeExpected(known: Known): Promise<void> {
  await using unpacked = await unpackFolder()
  const dataFolder = await unpacked.copy()
  await using webhook = await receiveWebhooks(dataFolder)
  await using started = await startOn(dataFolder, known.token)
  const { client } = started
  await workIsOver(client)
  known.scope.work.styleIds = await stylesUsed(client, known.scope.work)
  // There is no event for the last delivery, so wait for a quiet period.
  await Bun.sleep(QUIET_MS)
  const answers = await answersOf(client, known.scope)
  const deliveries = webhook.deliveries(known)
  const restored = await restoredOf(client, known)
  const text = inLines({ ...known, deliveries, restored, answers })
  await Bun.write(EXPECTED, text.replaceAll(webhook.url, NO_WEBHOOK))
  console.log(`${Object.keys(answers).length} answers`)
}

/** JSON with one line for each answer. */
function inLines({ answers, ...known }: Expected): string {
  const line = ([name, value]: [string, unknown]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`
  const head = Object.entries(known).map(line).join(',\n')
  return `{\n${head},\n"answers": {\n${Object.entries(answers).map(line).join(',\n')}\n}\n}\n`
}

async function stylesUsed({ get }: Client, { captureIds }: Work): Promise<string[]> {
  const captures = await Promise.all(captureIds.map((id) => get(`/captures/${id}`)))
  const { items } = await get('/writing-styles')
  const byDefault = items.filter((style: Json) => style.is_default)
  const ids = [...captures.map((one) => one.writing_style_id), ...byDefault.map(({ id }: Json) => id)]
  return [...new Set(ids.filter((id) => id !== null))]
}
