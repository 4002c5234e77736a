// Uploads damaged copies of every recording to the real server and decodes the accepted ones; some are transcribed.
// Exits with 1 on a 5xx, a crash of the server, files left, or a decode above the limit.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { optionsOrExit } from '../../scripts/options.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { recordingFile, speechFolder } from '../support/speech.ts'
import { until } from '../support/until.ts'
import { mutantsOf } from './mutants.ts'

const usage = `usage: npm run torture -- fuzz [--short] [--count N] [--seed N] [--only TEXT] [--limit-ms N] [--clients N]
Uploads N mutants of every recording in test/speech/formats and test/speech/containers (120; --short 3), half of them
with an unchanged beginning. --only selects recordings whose name contains TEXT.
A decode that takes longer than --limit-ms (2000) is a fault. --clients (2) upload in parallel.`

const values = optionsOrExit(
  {
    short: { type: 'boolean' },
    count: { type: 'string' },
    seed: { type: 'string' },
    only: { type: 'string' },
    'limit-ms': { type: 'string' },
    clients: { type: 'string' },
  },
  usage,
)
const count = Number(values.count ?? (values.short ? 3 : 120))
const seed = Number(values.seed ?? 1)
/** A quiet machine stays well below; a busy one needs more. */
const limitMs = Number(values['limit-ms'] ?? 2000)
const clients = Number(values.clients ?? 2)
/** The beginning of a large recording is enough here. */
const MAX_BYTES = 128 * 1024

/** All are decoded; transcription takes ten times as long. An odd number, so that both halves of the mutants occur. */
const TRANSCRIBED_EVERY = 11
/** The first recording that FFmpeg decodes also waits for its compilation. */
const SLOW_TO_LOAD = 'formats/m4a-aac.m4a'

type Mutant = { what: string; bytes: Uint8Array; isTranscribed: boolean }
type Tally = {
  sent: number
  outcomes: Map<string, number>
  faults: string[]
  slowest: { ms: number; what: string }
}

const names = ['formats', 'containers']
  .flatMap((folder) => readdirSync(join(speechFolder, folder)).map((name) => `${folder}/${name}`))
  .filter((name) => !name.endsWith('.md') && name.includes(values.only ?? ''))

async function* mutants(): AsyncGenerator<Mutant, void, undefined> {
  for (const name of names) {
    const original = await recordingFile(name).slice(0, MAX_BYTES).bytes()
    let number = 0
    for (const bytes of mutantsOf(original, { seed, count })) {
      yield { what: `${name} #${number}`, bytes, isTranscribed: number % TRANSCRIBED_EVERY === 0 }
      number++
    }
  }
}

/** Decodes with GET audio?format=wav, which uses the same decoder as a transcription. */
async function tryMutant({ url }: RunningServer, mutant: Mutant, tally: Tally): Promise<string> {
  const { what, bytes, isTranscribed } = mutant
  const uploaded = await upload(url, new Blob([bytes as BlobPart]), isTranscribed)
  const answer = (await uploaded.json()) as { id?: string; code?: string; status?: string }
  if (uploaded.status >= 500) tally.faults.push(`${what}: POST returned ${uploaded.status}`)
  if (answer.id === undefined) return answer.code ?? String(uploaded.status)
  if (isTranscribed && answer.status !== 'completed' && answer.status !== 'failed')
    tally.faults.push(`${what}: status ${answer.status} in the response`)

  const startedAt = performance.now()
  const decoded = await decodedAudio(url, answer.id)
  const body = await decoded.arrayBuffer()
  const ms = Math.round(performance.now() - startedAt)
  if (ms > tally.slowest.ms) tally.slowest = { ms, what }
  if (ms > limitMs) tally.faults.push(`${what}: took ${ms} ms`)
  if (decoded.status >= 500) tally.faults.push(`${what}: decoding returned ${decoded.status}`)
  await fetch(`${url}/captures/${answer.id}`, { method: 'DELETE' })
  const outcome = decoded.ok ? 'decoded' : String(JSON.parse(new TextDecoder().decode(body)).code)
  return isTranscribed ? `${outcome}, transcription ${answer.status}` : outcome
}

async function warmDecoder({ url }: RunningServer): Promise<void> {
  const uploaded = await upload(url, recordingFile(SLOW_TO_LOAD), false)
  const { id } = (await uploaded.json()) as { id: string }
  await (await decodedAudio(url, id)).arrayBuffer()
}

/** @param isTranscribed wait for the transcript; otherwise store in the trash, without a transcription */
function upload(url: string, recording: Blob, isTranscribed: boolean): Promise<Response> {
  const body = new FormData()
  body.set('file', recording, 'recording')
  return fetch(`${url}/captures${isTranscribed ? '' : '?discarded=true'}`, { method: 'POST', body })
}

const decodedAudio = (url: string, id: string): Promise<Response> =>
  fetch(`${url}/captures/${id}/audio?format=wav`)

async function client(server: RunningServer, queue: AsyncGenerator<Mutant>, tally: Tally): Promise<void> {
  for await (const mutant of { [Symbol.asyncIterator]: () => ({ next: () => queue.next() }) }) {
    const outcome = await tryMutant(server, mutant, tally).catch((error: Error) => {
      tally.faults.push(`${mutant.what}: ${error.message}`)
      return 'no response'
    })
    tally.outcomes.set(outcome, (tally.outcomes.get(outcome) ?? 0) + 1)
    tally.sent++
    if (tally.sent % 200 === 0) console.log(`${tally.sent} of ${names.length * count} sent`)
  }
}

/** The server keeps slow decodes for a minute; a busy machine needs more. */
const CACHE_MS = 90_000

const tally: Tally = { sent: 0, outcomes: new Map(), faults: [], slowest: { ms: 0, what: 'none' } }
const server = await startServer()
await Promise.all(Array.from({ length: clients }, () => warmDecoder(server)))
const queue = mutants()
await Promise.all(Array.from({ length: clients }, () => client(server, queue, tally)))
for (const folder of ['inbox', 'work']) {
  const left = () => readdirSync(join(server.dataFolder, folder)).length
  await until(() => left() === 0, { timeoutMs: CACHE_MS, what: 'the removal of files' }).catch(() =>
    tally.faults.push(`${left()} files were left in ${folder}`),
  )
}
if ((await server.stop()) !== 0) tally.faults.push('the server did not stop cleanly')

console.log(`${names.length} recordings, ${count} mutants of each, seed ${seed}`)
for (const [outcome, times] of [...tally.outcomes].sort((a, b) => b[1] - a[1]))
  console.log(`  ${outcome}: ${times}`)
console.log(`slowest decode: ${tally.slowest.ms} ms (${tally.slowest.what})`)
for (const fault of tally.faults) console.log(`FAULT ${fault}`)
process.exit(tally.faults.length > 0 ? 1 : 0)
