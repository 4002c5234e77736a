// Every operation while the disk is full, and while the database is away: it does what it can, or says so as documented.
// Needs a Postgres on this machine, and a disk of its own to fill, which Linux gives to whoever may mount one.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { appendFile, mkdtemp, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BUILTIN_STYLES } from '../../../src/writing/builtin-styles.ts'
import { isPostgresInstalled, type RunningPostgres, startPostgres } from '../../support/postgres.ts'
import { createProxy } from '../../support/proxy.ts'
import { formOf } from '../../support/speech.ts'
import { until } from '../../support/until.ts'
import type { Call } from './client.ts'
import type { Operation } from './document.ts'
import { codeOf } from './faults.ts'
import { formWith } from './recordings.ts'
import { type Subject, startSubject } from './subject.ts'
import { DOWNLOADABLE, JSON_TYPE, leastInput } from './valid-input.ts'

const DISK_MB = 900
const onDiskOfItsOwn = (folder: string) => [
  ...['unshare', '--map-root-user', '--mount', 'sh', '-c'],
  ...[`mount -t tmpfs -o mode=700,size=${DISK_MB}m none "$0" && exec "$@"`, folder],
]

const canMount = (): boolean => {
  try {
    return Bun.spawnSync([...onDiskOfItsOwn('/mnt'), 'true']).exitCode === 0
  } catch {
    return false
  }
}

/** Whether `npm run outages` asks for the tests of this file, and this machine lets them run. */
export const canTakeAway = process.env.OUTAGES === 'all' && canMount() && (await isPostgresInstalled())

export function testOutages(seen: Set<string>): void {
  describe.skipIf(!canTakeAway)('every operation', () => {
    let postgres: RunningPostgres
    let dataFolder: string
    let subject: Subject
    let proxy: Awaited<ReturnType<typeof createProxy>>
    let prepared: [Operation, Call][]

    beforeAll(async () => {
      postgres = (await startPostgres())!
      dataFolder = await mkdtemp(join(tmpdir(), 'dictation-test-'))
      proxy = await createProxy(postgres.url)
      subject = await startSubject(
        { DATABASE_URL: proxy.url, DICTATION_THREADS: '1' },
        { dataFolder, within: onDiskOfItsOwn(dataFolder) },
      )
      prepared = await prepare(subject)
    }, 240_000)

    afterAll(async () => {
      proxy.restore()
      for (const pair of subject.client.seen) seen.add(pair)
      await subject.stop()
      proxy[Symbol.dispose]()
      await postgres.stop()
      await rm(dataFolder, { recursive: true })
    }, 180_000)

    /** What was not as documented, or gave another reason than this. */
    const wrongOnes = async (code: string, before: () => Promise<void>) => {
      const wrong: string[] = []
      for (const [one, call] of prepared) {
        await before()
        const received = await subject.client.call(one, call).catch((error: Error) => error)
        if (received instanceof Error) wrong.push(received.message)
        else if (received.status > 500 && codeOf(received) !== code) wrong.push(`${one.id}: ${received.text}`)
      }
      return wrong
    }

    test('answers as documented while the disk is full', async () => {
      // The server sees a disk that this process only sees through it.
      const folder = `/proc/${subject.server.pid}/root${dataFolder}`
      const filler = join(folder, 'filler')
      // What deleting and cancelling fall back on is used up as well.
      await rm(join(folder, 'ballast'))
      const over = new AbortController()
      const filling = keepFull(filler, over.signal)
      const wrong = await wrongOnes('disk_full', () => fill(filler))
      over.abort()
      await filling
      await truncate(filler)
      expect(wrong).toEqual([])
    }, 240_000)

    test('answers as documented while the database is away', async () => {
      proxy.cut()
      expect(await wrongOnes('database_unavailable', async () => {})).toEqual([])
    }, 240_000)
  })
}

/** What each operation is about, made before anything is away. */
async function prepare(subject: Subject): Promise<[Operation, Call][]> {
  const { document, client, operation, existing, keep, spokenId } = subject
  await spokenId()
  const again = (await keep('true', await formOf('short-02.flac'))).id
  const trashed = { id: (await keep()).id }
  await client.call(operation('trashCapture'), { path: trashed })
  const { id: style } = BUILTIN_STYLES[2]!
  const settings = { headers: JSON_TYPE, body: JSON.stringify({ default_writing_style_id: style }) }
  const special: Record<string, Call> = {
    restoreCapture: { path: trashed },
    updateDictionaryEntry: {
      path: await existing(operation('updateDictionaryEntry')),
      ...{ headers: JSON_TYPE, body: JSON.stringify({ priority: 7 }) },
    },
    // Which style is the default stands in the database; the other settings in a file.
    putSettings: settings,
    changeSettings: settings,
    getCaptureAudio: { path: await existing(operation('getCapture')), query: [['format', 'wav']] },
    // What is spoken is kept for a moment; what is typed is not.
    runCommand: { body: formWith([]) },
    downloadModel: { headers: JSON_TYPE, body: JSON.stringify({ model_name: DOWNLOADABLE }) },
  }
  const others = document.operations
    .filter(({ id }) => !CANCELLING.some((one) => one === id))
    // What removes something comes last.
    .toSorted((one, other) => Number(one.method === 'DELETE') - Number(other.method === 'DELETE'))
    .map(
      async (one): Promise<[Operation, Call]> => [
        one,
        special[one.id] ?? { path: await existing(one), ...leastInput(one) },
      ],
    )
  const prepared = await Promise.all(others)
  // Queued last and cancelled first: all of the above waits for transcripts, and the work would be over by then.
  const work = await queueWork(subject, again)
  const cancelling = CANCELLING.map((id): [Operation, Call] => [operation(id), { path: { id: work[id] } }])
  return [...cancelling, ...prepared]
}

const CANCELLING = ['cancelCapture', 'cancelJob', 'cancelBatch'] as const

/** The id that each of them is asked for. */
type Work = Record<(typeof CANCELLING)[number], string>

/** As many long recordings as are worked on at once, and behind them a job and a batch that wait. */
async function queueWork({ client, operation, json, keep }: Subject, again: string): Promise<Work> {
  const get = async (id: string, path: Record<string, string>) =>
    (await client.call(operation(id), { path })).json
  const jobOf = async (file: string): Promise<{ capture: string; job: string }> => {
    const { id: capture } = await keep('false', await formOf(file))
    const jobs = await client.call(operation('listJobs'), { query: [['capture_id', capture]] })
    return { capture, job: jobs.json.items[0].id }
  }
  const ahead: string[] = []
  while (ahead.length < 4) ahead.push((await jobOf('long-3-minutes.flac')).job)
  const waiting = await jobOf('human-1.flac')
  const batch: string = (await json('retranscribeCaptures', { ids: [again] })).json.batch_id
  // By then they are decoded, which takes room, and wait for the engine alone.
  let state: unknown
  await until(
    async () => {
      const [{ queued }, ...jobs] = await Promise.all([
        get('getBatch', { id: batch }),
        ...ahead.map((id) => get('getJob', { id })),
      ])
      state = { queued, ahead: jobs.map(({ state, progress }) => ({ state, progress })) }
      return queued === 1 && jobs.every(({ progress }) => progress > 0)
    },
    { timeoutMs: 120_000, what: () => `the long ones to be begun: ${JSON.stringify(state)}` },
  )
  return { cancelCapture: waiting.capture, cancelJob: waiting.job, cancelBatch: batch }
}

/** The last is a page: this kind of disk has no smaller ones. */
const BLOCKS = [1024 ** 2, 4096]

/** What the server lets go of while it answers is taken as well. */
async function keepFull(path: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await fill(path)
    // A courtesy to the processor.
    await Bun.sleep(2)
  }
}

/** To the last byte. */
async function fill(path: string): Promise<void> {
  for (const size of BLOCKS) {
    const block = Buffer.alloc(size, 'x')
    const written = () =>
      appendFile(path, block).then(
        () => true,
        () => false,
      )
    while (await written());
  }
}
