// Every operation while the disk is full, and while the database is away: it does what it can, or says so as documented.
// Needs a Postgres on this machine, and a disk of its own to fill, which Linux gives to whoever may mount one.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { appendFile, mkdtemp, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BUILTIN_STYLES } from '../../../src/writing/builtin-styles.ts'
import { startPostgres } from '../../support/postgres.ts'
import { createProxy } from '../../support/proxy.ts'
import { formOf } from '../../support/speech.ts'
import type { Call } from './client.ts'
import type { Operation } from './document.ts'
import { codeOf } from './faults.ts'
import { type Subject, startSubject } from './subject.ts'
import { JSON_TYPE, leastInput } from './valid-input.ts'

const DISK_MB = 900
const onDiskOfItsOwn = (folder: string) => [
  ...['unshare', '--map-root-user', '--mount', 'sh', '-c'],
  ...[`mount -t tmpfs -o size=${DISK_MB}m none "$0" && exec "$@"`, folder],
]

const canMount = (): boolean => {
  try {
    return Bun.spawnSync([...onDiskOfItsOwn('/mnt'), 'true']).exitCode === 0
  } catch {
    return false
  }
}

const postgres = canMount() ? await startPostgres() : null
/** Whether this machine lets the tests of this file run. */
export const canTakeAway = postgres !== null

export function testOutages(seen: Set<string>): void {
  describe.skipIf(postgres === null)('every operation', () => {
    let dataFolder: string
    let subject: Subject
    let proxy: Awaited<ReturnType<typeof createProxy>>
    let prepared: [Operation, Call][]

    beforeAll(async () => {
      dataFolder = await mkdtemp(join(tmpdir(), 'dictation-test-'))
      const target = new URL(postgres!.url)
      proxy = await createProxy({ hostname: target.hostname, port: Number(target.port) })
      const databaseUrl = Object.assign(new URL(postgres!.url), { host: `127.0.0.1:${proxy.port}` }).href
      subject = await startSubject(
        { DATABASE_URL: databaseUrl },
        { dataFolder, within: onDiskOfItsOwn(dataFolder) },
      )
      prepared = await prepare(subject)
    }, 240_000)

    afterAll(async () => {
      proxy.restore()
      for (const pair of subject.client.seen) seen.add(pair)
      await subject.stop()
      proxy[Symbol.dispose]()
      await postgres!.stop()
      await rm(dataFolder, { recursive: true })
    }, 60_000)

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
      const filler = `/proc/${subject.server.pid}/root${dataFolder}/filler`
      const wrong = await wrongOnes('disk_full', () => fill(filler))
      await truncate(filler)
      expect(wrong).toEqual([])
    }, 240_000)

    test('answers as documented while the database is away', async () => {
      proxy.cut()
      expect(await wrongOnes('database_unavailable', async () => {})).toEqual([])
    }, 240_000)
  })
}

/** Made before anything is away: what each operation is about, and work that can be cancelled. */
async function prepare({
  document,
  client,
  operation,
  existing,
  spokenId,
}: Subject): Promise<[Operation, Call][]> {
  await spokenId()
  const upload = async () =>
    (
      await client.call(operation('createCapture'), {
        query: [['wait', 'false']],
        body: await formOf('long-3-minutes.flac'),
      })
    ).json.id as string
  await upload()
  const waiting = await upload()
  const jobs = await client.call(operation('listJobs'), { query: [['capture_id', waiting]] })
  const { id: style } = BUILTIN_STYLES[2]!
  const settings = { headers: JSON_TYPE, body: JSON.stringify({ default_writing_style_id: style }) }
  const special: Record<string, Call> = {
    cancelCapture: { path: { id: waiting } },
    cancelJob: { path: { id: jobs.json.items[0].id } },
    // Which style is the default stands in the database; the other settings in a file.
    putSettings: settings,
    changeSettings: settings,
    getCaptureAudio: { path: await existing(operation('getCapture')), query: [['format', 'wav']] },
  }
  // What removes something comes last.
  const order = (one: Operation) => Number(one.method === 'DELETE')
  const calls = document.operations
    .toSorted((one, other) => order(one) - order(other))
    .map(
      async (one): Promise<[Operation, Call]> => [
        one,
        special[one.id] ?? { path: await existing(one), ...leastInput(one) },
      ],
    )
  return Promise.all(calls)
}

const BLOCKS = [1024 ** 2, 4096, 1]

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
