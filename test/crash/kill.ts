// Kills the server with SIGKILL while recordings arrive, starts it again, and counts what was lost.
// A recording counts as acknowledged from the moment the client has read a 2xx.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { optionsOrExit } from '../../scripts/client/options.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { recordingFile } from '../support/speech.ts'
import { until } from '../support/until.ts'

/** What the server logs, in this order, on the way from the first byte to the finished text. */
export const PHASES = [
  'receiving',
  'synced',
  'moved',
  'journaled',
  'committed',
  'decoding',
  'transcribing',
  'result_journaled',
  'completed',
] as const
type Phase = (typeof PHASES)[number]

type Witness = Map<string, { sha256: string; recording: string }>

const UPLOADS_A_ROUND = 5
const USAGE = `usage: npm run crash -- [--rounds N] [--short]
${UPLOADS_A_ROUND} uploads a round, killed at each of: ${PHASES.join(', ')}`
const SPOKEN = 'human-3.flac'
const SILENT = 'nothing-silence.flac'

const sha256 = (bytes: ArrayBuffer) => new Bun.CryptoHasher('sha256').update(bytes).digest('hex')

/** A client that notes what was acknowledged; a connection cut by the kill is no acknowledgement. */
async function upload(url: string, recording: string, wait: boolean, witness: Witness): Promise<void> {
  const bytes = await recordingFile(recording).arrayBuffer()
  const form = new FormData()
  form.set('file', new File([bytes], recording))
  try {
    const response = await fetch(`${url}/captures?wait=${wait}`, { method: 'POST', body: form })
    const { id } = (await response.json()) as { id: string }
    if (response.ok) witness.set(id, { sha256: sha256(bytes), recording })
  } catch {
    // The server died under the upload: nothing was promised.
  }
}

/** Uploads until the wanted phase was logged for a random one of the recordings, then kills. */
async function round(server: RunningServer, phase: Phase, witness: Witness): Promise<Phase | null> {
  const before = server.log().length
  const wanted = 1 + Math.floor(Math.random() * 2)
  const seen = () =>
    server
      .log()
      .slice(before)
      .flatMap((entry) => (entry.phase as Phase | undefined) ?? [])
  const uploads = Array.from({ length: UPLOADS_A_ROUND }, (_, index) =>
    // The engine takes seconds for speech: one such recording where it is meant to be killed at work is enough.
    upload(server.url, index === 0 && phase === 'transcribing' ? SPOKEN : SILENT, index % 2 === 0, witness),
  )
  await until(() => seen().filter((one) => one === phase).length >= wanted || settled(uploads), {
    timeoutMs: 120_000,
    what: `phase ${phase}`,
  })
  const last = seen().findLast((one) => one === phase) ?? null
  await server.kill()
  await Promise.allSettled(uploads)
  return last
}

const settled = async (uploads: Promise<void>[]) =>
  (await Promise.race([Promise.all(uploads), Bun.sleep(0).then(() => 'pending')])) !== 'pending'

type Loss = { id: string; what: string }

async function losses(server: RunningServer, witness: Witness): Promise<Loss[]> {
  const lost: Loss[] = []
  for (const [id, { sha256: hash }] of witness) {
    const capture = await fetch(`${server.url}/captures/${id}`)
    if (capture.status !== 200) {
      lost.push({ id, what: `GET answered ${capture.status}` })
      continue
    }
    await capture.body?.cancel()
    const audio = await fetch(`${server.url}/captures/${id}/audio`)
    if (sha256(await audio.arrayBuffer()) !== hash) lost.push({ id, what: 'its audio differs' })
  }
  return lost
}

/** In the end every capture, acknowledged or found again, must have come to an end with its audio kept. */
async function unfinished(server: RunningServer): Promise<number> {
  const count = async (status: string) =>
    ((await (await fetch(`${server.url}/captures?limit=1&status=${status}`)).json()) as { total: number })
      .total
  return (await count('pending')) + (await count('transcribing')) + (await count('failed'))
}

async function main() {
  const values = optionsOrExit({ rounds: { type: 'string' }, short: { type: 'boolean' } }, USAGE)
  const rounds = values.short ? PHASES.length : Number(values.rounds ?? PHASES.length * 4)
  const dataFolder = await mkdtemp(join(tmpdir(), 'dictation-crash-'))
  const witness: Witness = new Map()
  const kills = new Map<Phase, number>(PHASES.map((phase) => [phase, 0]))
  let lost: Loss[] = []

  for (let index = 0; index < rounds && lost.length === 0; index++) {
    const phase = PHASES[index % PHASES.length]!
    const server = await startServer({ dataFolder })
    lost = await losses(server, witness)
    const killedAt = await round(server, phase, witness)
    if (killedAt !== null) kills.set(killedAt, kills.get(killedAt)! + 1)
    console.log(
      `round ${index + 1} of ${rounds}: killed at ${killedAt ?? 'no phase'}; ${witness.size} acknowledged`,
    )
  }

  const server = await startServer({ dataFolder })
  lost.push(...(await losses(server, witness)))
  const left = await until(async () => ((await unfinished(server)) === 0 ? 'none' : null), {
    timeoutMs: 600_000,
    what: 'every capture to be completed',
  })
  await server.stop()
  await rm(dataFolder, { recursive: true, force: true })

  console.log(
    `uploads ${rounds * UPLOADS_A_ROUND}, acknowledged ${witness.size}, lost or altered ${lost.length}, unfinished ${left}`,
  )
  console.log(`kills per phase: ${PHASES.map((phase) => `${phase} ${kills.get(phase)}`).join(', ')}`)
  for (const { id, what } of lost) console.error(`lost ${id}: ${what}`)
  const missed = PHASES.filter((phase) => kills.get(phase) === 0)
  if (missed.length > 0) console.error(`no kill at: ${missed.join(', ')}`)
  process.exit(lost.length === 0 && missed.length === 0 ? 0 : 1)
}

await main()
