// Every operation while the disk is full and while the database is unreachable: it works, or fails as documented.
// Needs a Postgres on this machine and permission to mount a file system (Linux).

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
const onOwnDisk = (folder: string) => [
  ...['unshare', '--map-root-user', '--mount', 'sh', '-c'],
  ...[`mount -t tmpfs -o mode=700,size=${DISK_MB}m none "$0" && exec "$@"`, folder],
]

const canMount = (): boolean => {
  try {
    return Bun.spawnSync([...onOwnDisk('/mnt'), 'true']).exitCode === 0
  } catch {
    return false
  }
}

/** Whether `npm run torture -- outages` requests these tests and this machine supports them. */
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
        { dataFolder, within: onOwnDisk(dataFolder) },
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

    /** Responses that deviate from the document or have a code other than this one. */
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

    test('responds as documented while the disk is full', async () => {
      // The server has this disk in its own mount namespace; this process reaches it only through /proc.
      const folder = `/proc/${subject.server.pid}/root${dataFolder}`
      const filler = join(folder, 'filler')
      // Removes the reserve that deleting and cancelling use.
      await rm(join(folder, 'ballast'))
      const over = new AbortController()
      const filling = keepFull(filler, over.signal)
      const wrong = await wrongOnes('disk_full', () => fill(filler))
      over.abort()
      await filling
      await truncate(filler)
      expect(wrong).toEqual([])
    }, 240_000)

    test('responds as documented while the database is unreachable', async () => {
      proxy.cut()
      expect(await wrongOnes('database_unavailable', async () => {})).toEqual([])
    }, 240_000)
  })
}

/** The call of each operation, prepared before the outage. */
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
    // The default style is stored in the database; the other settings are in a file.
    putSettings: settings,
    changeSettings: settings,
    getCaptureAudio: { path: await existing(operation('getCapture')), query: [['format', 'wav']] },
    // A spoken instruction is stored temporarily; a typed one is not.
    runCommand: { body: formWith([]) },
    downloadModel: { headers: JSON_TYPE, body: JSON.stringify({ model_name: DOWNLOADABLE }) },
  }
  const others = document.operations
    .filter(({ id }) => !CANCELLING.some((one) => one === id))
    // Deletions come last.
    .toSorted((one, other) => Number(one.method === 'DELETE') - Number(other.method === 'DELETE'))
    .map(
      async (one): Promise<[Operation, Call]> => [
        one,
        special[one.id] ?? { path: await existing(one), ...leastInput(one) },
      ],
    )
  const prepared = await Promise.all(others)
  // Queued last and cancelled first: everything above waits for transcripts, and the work would be finished by then.
  const work = await queueWork(subject, again)
  const cancelling = CANCELLING.map((id): [Operation, Call] => [operation(id), { path: { id: work[id] } }])
  return [...cancelling, ...prepared]
}

const CANCELLING = ['cancelCapture', 'cancelJob', 'cancelBatch'] as const

/** The id for each of these operations. */
type Work = Record<(typeof CANCELLING)[number], string>

/** As many long recordings as run at once, followed by a waiting job and a waiting batch. */
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
  // By then they are decoded, which needs disk space, and wait only for the engine.
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

/** The last size is a page, the smallest block of this file system. */
const BLOCKS = [1024 ** 2, 4096]

/** Also fills the space that the server frees while it responds. */
async function keepFull(path: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await fill(path)
    // Yields the processor.
    await Bun.sleep(2)
  }
}

/** Fills the disk to the last byte. */
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
