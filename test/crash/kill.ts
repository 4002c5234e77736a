// Kills the server, its workers and its first starts with SIGKILL while recordings arrive, restarts it, and counts losses.
// A recording counts as acknowledged once the client has read a 2xx.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { markdownTable, writeSection } from '../../scripts/bench/report.ts'
import { optionsOrExit } from '../../scripts/options.ts'
import { childrenOf } from '../support/children.ts'
import { tidyWhenInterrupted } from '../support/interrupted.ts'
import { leftovers } from '../support/leftovers.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { until } from '../support/until.ts'
import { wrongCopies } from '../support/wrong-copies.ts'
import { killFirstStarts } from './first-starts.ts'
import { losses, untilDone, wrongVersions } from './losses.ts'
import { retranscribeOne, upload, WAYS, type Witness } from './uploads.ts'

/** The server logs these, in this order, from the first byte to the finished text. */
export const PHASES = [
  'receiving',
  'synced',
  'moved',
  'committed',
  'decoding',
  'transcribing',
  'refining',
  'result_committed',
  'completed',
] as const
type Phase = (typeof PHASES)[number]

const USAGE = `usage: npm run torture -- crash [--rounds N] [--short]
Sends ${WAYS.length} recordings a round (${WAYS.join(', ')}) and retranscribes an
earlier one; kills the server at each of: ${PHASES.join(', ')}.
Then kills its workers and first starts.
--rounds  kills of the server (${PHASES.length * 4}; --short ${PHASES.length})`
const SPOKEN = 'human-3.flac'
const SILENT = 'nothing-silence.flac'
const CHILD_ROUNDS = { short: 1, full: 5 }
const FIRST_STARTS = { short: 1, full: 20 }
const PHASE_WITHIN_MS = 120_000

const phasesOf = (server: RunningServer, from: number) =>
  server
    .log()
    .slice(from)
    .flatMap((entry) => (entry.phase as Phase | undefined) ?? [])

/** The engine takes seconds for speech, so one spoken recording is enough. */
const sendAll = (server: RunningServer, { spoken }: { spoken: boolean }, witness: Witness) =>
  WAYS.map((way, index) => upload(server.url, index === 0 && spoken ? SPOKEN : SILENT, way, witness))

/** Phases that only speech reaches, or in which only speech takes long. */
const OF_SPEECH: Phase[] = ['transcribing', 'refining']

/** Uploads until the phase is logged for a random recording, then kills. */
async function round(server: RunningServer, phase: Phase, witness: Witness): Promise<Phase | null> {
  const before = server.log().length
  const wanted = phase === 'refining' ? 1 : 1 + Math.floor(Math.random() * 2)
  const seen = () => phasesOf(server, before)
  const requests = [
    retranscribeOne(server.url, witness),
    ...sendAll(server, { spoken: OF_SPEECH.includes(phase) }, witness),
  ]
  await until(() => seen().filter((one) => one === phase).length >= wanted || settled(requests), {
    timeoutMs: PHASE_WITHIN_MS,
    what: `phase ${phase}`,
  })
  const last = seen().findLast((one) => one === phase) ?? null
  await server.kill()
  await Promise.allSettled(requests)
  return last
}

const settled = async (requests: Promise<void>[]) =>
  (await Promise.race([Promise.all(requests), Bun.sleep(0).then(() => 'pending')])) !== 'pending'

/** Kills all workers at once; the server starts new ones and completes the requests. */
async function killChildren(server: RunningServer, witness: Witness): Promise<number> {
  const before = server.log().length
  const requests = sendAll(server, { spoken: true }, witness)
  await until(() => phasesOf(server, before).includes('transcribing') || settled(requests), {
    timeoutMs: PHASE_WITHIN_MS,
    what: 'work to begin',
  })
  const children = childrenOf(server.pid)
  for (const child of children) {
    try {
      process.kill(child, 'SIGKILL')
    } catch {
      // It has already ended.
    }
  }
  await Promise.all(requests)
  await untilDone(server)
  return children.length
}

async function main(): Promise<number> {
  const values = optionsOrExit({ rounds: { type: 'string' }, short: { type: 'boolean' } }, USAGE)
  const form = values.short ? 'short' : 'full'
  const rounds = values.short ? PHASES.length : Number(values.rounds ?? PHASES.length * 4)
  const folder = await mkdtemp(join(tmpdir(), 'dictation-crash-'))
  tidyWhenInterrupted(folder)
  const dataFolder = join(folder, 'data')
  const witness: Witness = new Map()
  const kills = new Map<Phase, number>(PHASES.map((phase) => [phase, 0]))
  const faults: string[] = []
  let children = 0

  try {
    for (let index = 0; index < rounds && faults.length === 0; index++) {
      const server = await startServer({ dataFolder })
      faults.push(...(await losses(server, witness)))
      const killedAt = await round(server, PHASES[index % PHASES.length]!, witness)
      if (killedAt !== null) kills.set(killedAt, kills.get(killedAt)! + 1)
      console.log(
        `round ${index + 1} of ${rounds}: killed at ${killedAt ?? 'no phase'}; ${witness.size} acknowledged`,
      )
    }
    const server = await startServer({ dataFolder })
    await untilDone(server)
    for (let index = 0; index < CHILD_ROUNDS[form]; index++) children += await killChildren(server, witness)
    faults.push(...(await losses(server, witness)), ...(await wrongVersions(server, witness)))
    faults.push(...(await wrongCopies((path, init) => fetch(server.url + path, init), dataFolder)))
    await server.stop()
    faults.push(...(await leftovers(dataFolder)), ...(await killFirstStarts(FIRST_STARTS[form])))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }

  const missed = PHASES.filter((phase) => kills.get(phase) === 0)
  faults.push(...missed.map((phase) => `no kill at ${phase}`))
  const kept = `${rounds * WAYS.length} uploads, ${witness.size} acknowledged`
  console.log(
    `${kept}; kills: ${rounds} of the server, ${children} of its workers, ${FIRST_STARTS[form]} of a first start; faults ${faults.length}`,
  )
  for (const fault of faults) console.error(fault)
  if (form === 'full' && values.rounds === undefined && faults.length === 0)
    await report(kills, { kept, children })
  return faults.length === 0 ? 0 : 1
}

async function report(kills: Map<Phase, number>, { kept, children }: { kept: string; children: number }) {
  await writeSection({
    title: 'Killed at any moment',
    command: 'npm run torture -- crash',
    how: `**Every acknowledged change survives \`kill -9\`**: recordings byte for byte, sent as forms and raw bodies, with and without waiting for the text; every job completes, no retranscription is lost or done twice, every copy is correct, and nothing is left (partial files, uploads, decoded samples). Killed workers are replaced and their jobs complete; after a killed first start the next one works.

${kept}.`,
    table: markdownTable(
      ['killed', 'kills', 'losses'],
      [
        ...[...kills].map(([phase, count]) => [`the server, at ${phase}`, String(count), '0']),
        ['its workers', String(children), '0'],
        ['its first start', String(FIRST_STARTS.full), '0'],
      ],
    ),
  })
}

process.exit(await main())
