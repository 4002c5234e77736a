// Work on many captures with real files, database and queue; the recogniser is a hand-written function.

import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CaptureSelection } from '../../src/captures/capture-index.ts'
import type { Retranscription } from '../../src/jobs/batch-work.ts'
import { type Batch, createBatches } from '../../src/jobs/batches.ts'
import { silentLog } from '../../src/lib/log.ts'
import { fail, succeed } from '../../src/lib/result.ts'
import { newId } from '../../src/lib/uuid.ts'
import {
  type ArchiveOptions,
  capture,
  endedJob,
  finishedCapture,
  openArchive,
  said,
  type TestArchive,
} from '../support/archive.ts'
import { testAtLength } from '../support/at-length.ts'
import { createTestFolder } from '../support/database.ts'
import { until } from '../support/until.ts'

const requestOf = (more: Partial<Retranscription> = {}): Retranscription => ({
  ...{ model: 'base', multilingual: true, language: null, prompt: null },
  ...{ keepRefined: false, skipIfSameModel: false, key: null },
  ...more,
})
const everything: CaptureSelection = { meant: {} }

async function open(options: ArchiveOptions & { feeding?: boolean } = {}) {
  const archive = await openArchive(options)
  const { database, dataFolder, captures, queue } = archive
  const log = options.log ?? silentLog
  const batches = createBatches({ database, dataFolder, captures, queue, clock: () => new Date(), log })
  if (options.feeding !== false) await batches.start()
  const done = async (id: string) =>
    until(
      async () => {
        const batch = await batches.get(id)
        return batch?.state === 'running' ? null : batch
      },
      { what: 'the batch to end' },
    )
  const stop = async () => {
    await batches.stop()
    await archive.stop()
  }
  return {
    ...{ archive, batches, done, stop },
    async [Symbol.asyncDispose]() {
      await batches.stop()
      await archive[Symbol.asyncDispose]()
    },
  }
}

/** The job of the batch on a capture, as the feeder queues it, until it has ended. */
async function retranscribedFor(archive: TestArchive, job: { batchId: string; captureId: string }) {
  const request = { model: 'base', language: null, prompt: null, keepRefined: false, batchId: job.batchId }
  const queued = await archive.captures.retranscribe(job.captureId, request)
  if (!queued.ok) throw new Error(queued.failure.message)
  await endedJob(archive, queued.value.jobId)
}

const several = async (archive: TestArchive, count: number) => {
  const ids: string[] = []
  for (let made = 0; made < count; made++) ids.push((await finishedCapture(archive)).id)
  return ids
}

describe('a batch of retranscriptions', () => {
  testAtLength(
    'is joined by a request with the same key while it runs, and started again afterwards',
    async () => {
      const gate = Promise.withResolvers<void>()
      await using opened = await open({
        async transcribe({ model }) {
          if (model !== null) await gate.promise
          return succeed(said('again', { model: model ?? 'none' }))
        },
      })
      const { archive, batches, done } = opened
      await several(archive, 2)
      const begin = () =>
        batches.retranscribe(everything, requestOf({ key: 'nightly', skipIfSameModel: true }))
      const [first, second] = await Promise.all([begin(), begin()])
      expect(second.id).toBe(first.id)
      expect((await batches.retranscribe(everything, requestOf({ key: 'other' }))).id).not.toBe(first.id)
      gate.resolve()
      await done(first.id)
      const third = await begin()
      expect(third.id).not.toBe(first.id)
      expect(third.counts).toMatchObject({ skipped: 2, waiting: 0 })
    },
  )

  test('takes turns with another batch', async () => {
    const transcribed: string[] = []
    const gate = Promise.withResolvers<void>()
    await using opened = await open({
      async transcribe({ model }) {
        if (model === null) return succeed(said('first'))
        await gate.promise
        transcribed.push(model)
        return succeed(said('again', { model }))
      },
    })
    const { archive, batches, done } = opened
    const ids = await several(archive, 6)
    const [first, second] = [
      await batches.retranscribe({ ids: ids.slice(0, 3) }, requestOf({ model: 'base' })),
      await batches.retranscribe({ ids: ids.slice(3) }, requestOf({ model: 'small' })),
    ]
    gate.resolve()
    await Promise.all([done(first.id), done(second.id)])
    expect(transcribed).toEqual(['base', 'small', 'base', 'small', 'base', 'small'])
  })

  test('transcribes every capture once, one at a time, and reports each result', async () => {
    const transcribed: string[] = []
    let [active, most] = [0, 0]
    await using opened = await open({
      async transcribe({ path, model }) {
        most = Math.max(most, ++active)
        transcribed.push(path)
        await new Promise((resolve) => setImmediate(resolve))
        active--
        return succeed(said('again', { model: model ?? 'none' }))
      },
    })
    const { archive, batches, done } = opened
    const ids = await several(archive, 5)
    transcribed.length = most = 0
    const begun = await batches.retranscribe(everything, requestOf())
    expect(begun).toMatchObject({ kind: 'retranscribe', state: 'running', total: 5, counts: { waiting: 5 } })
    const ended = await done(begun.id)
    expect(ended).toMatchObject({ state: 'completed', counts: { completed: 5, failed: 0 }, errors: [] })
    expect(ended.finishedAt).toBeInstanceOf(Date)
    expect([transcribed.length, new Set(transcribed).size, most]).toEqual([5, 5, 1])
    for (const id of ids) {
      expect(await archive.captures.get(id)).toMatchObject({ transcriptRaw: 'again', status: 'completed' })
      expect(await archive.captures.versions(id)).toHaveLength(1)
    }
    expect((await archive.jobs.list({ state: 'completed', limit: 1, offset: 0 })).total).toBe(10)
  })

  test('accepts captures by id, each once, and skips missing ones', async () => {
    await using opened = await open()
    const { archive, batches, done } = opened
    const [one, other] = await several(archive, 2)
    const missing = newId(new Date())
    const { id } = await batches.retranscribe({ ids: [one!, one!.toUpperCase(), missing] }, requestOf())
    expect(await done(id)).toMatchObject({
      total: 2,
      counts: { completed: 1, skipped: 1 },
      errors: [{ captureId: missing, code: 'capture_not_found' }],
    })
    expect(await archive.captures.versions(other!)).toEqual([])
  })

  test('contains the captures that matched the filter at the request', async () => {
    await using opened = await open({ feeding: false })
    const { archive, batches, done } = opened
    await several(archive, 2)
    const mail = await finishedCapture(archive, { appName: 'Mail' })
    const { id, total } = await batches.retranscribe({ meant: { app: 'mail' } }, requestOf())
    await finishedCapture(archive, { appName: 'Mail' })
    expect(total).toBe(1)
    await batches.start()
    expect((await done(id)).counts.completed).toBe(1)
    expect(await archive.captures.versions(mail.id)).toHaveLength(1)
  })

  testAtLength(
    'skips captures that the model has transcribed, trashed ones, and those without audio',
    async () => {
      await using opened = await open()
      const { archive, batches, done } = opened
      const [same, trashed, silent, german] = await several(archive, 4)
      await archive.database.run((orm) =>
        orm.execute(`update captures set audio_available = false where id = '${silent}'`),
      )
      await archive.captures.trash(trashed!)
      const model = (await archive.captures.get(same!))!.sttModel!
      const request = requestOf({ model, skipIfSameModel: true })
      const ids = [same!, trashed!, silent!]
      const begun = await batches.retranscribe({ ids }, request)
      expect(begun).toMatchObject({ state: 'completed', counts: { skipped: 3 } })
      // A skipped capture that needed no work is no error.
      const codes = (await batches.get(begun.id))!.errors.map(({ captureId, code }) => [captureId, code])
      expect(codes).toEqual([
        [trashed!, 'capture_in_trash'],
        [silent!, 'audio_gone'],
      ])
      // Another language than that of the transcript needs a new transcription.
      const again = await batches.retranscribe({ ids: [german!] }, { ...request, language: 'de' })
      expect((await done(again.id)).counts).toMatchObject({ completed: 1, skipped: 0 })
    },
  )

  test('refuses a language that the model lacks, capture by capture', async () => {
    await using opened = await open()
    const { archive, batches, done } = opened
    await finishedCapture(archive, { language: 'de' })
    await finishedCapture(archive, { language: 'en' })
    const { id } = await batches.retranscribe(
      everything,
      requestOf({ model: 'base.en', multilingual: false }),
    )
    expect(await done(id)).toMatchObject({
      counts: { completed: 1, failed: 1 },
      errors: [{ code: 'unsupported_language' }],
    })
  })

  test('continues when a capture fails, and keeps its transcript', async () => {
    let calls = 0
    await using opened = await open({
      transcribe: async () =>
        ++calls === 4
          ? fail({ code: 'undecodable_audio', message: 'It is broken.' })
          : succeed(said(`${calls}`)),
    })
    const { archive, batches, done } = opened
    const ids = await several(archive, 3)
    const { id } = await batches.retranscribe(everything, requestOf())
    expect(await done(id)).toMatchObject({
      counts: { completed: 2, failed: 1 },
      errors: [{ captureId: ids[0]!, code: 'undecodable_audio', message: 'It is broken.' }],
    })
    expect(await archive.captures.get(ids[0]!)).toMatchObject({ status: 'completed', transcriptRaw: '1' })
  })

  testAtLength('waits for a busy capture, and transcribes the others meanwhile', async () => {
    const gate = Promise.withResolvers<void>()
    let first = true
    await using opened = await open({
      async transcribe() {
        if (first) {
          first = false
          await gate.promise
        }
        return succeed(said('done'))
      },
    })
    const { archive, batches, done } = opened
    const { capture: busy } = await capture(archive)
    await until(() => !first)
    const free = await finishedCapture(archive)
    const { id } = await batches.retranscribe(everything, requestOf())
    // The batch is updated shortly after the capture.
    await until(async () => (await batches.get(id))?.counts.completed === 1)
    expect((await archive.captures.versions(free.id))?.length).toBe(1)
    expect(await batches.get(id)).toMatchObject({ state: 'running', counts: { waiting: 1, completed: 1 } })
    gate.resolve()
    expect((await done(id)).counts.completed).toBe(2)
    expect(await archive.captures.versions(busy.id)).toHaveLength(1)
  })

  test('queues one job at a time, so that dictations never wait', async () => {
    await using opened = await open({ working: false, feeding: false })
    const { archive, batches } = opened
    for (let made = 0; made < 3; made++) {
      const { capture: one } = await capture(archive)
      await archive.captures.cancel(one.id)
    }
    const { id } = await batches.retranscribe(everything, requestOf())
    await batches.start()
    await until(async () => (await batches.get(id))!.counts.queued === 1)
    expect(await archive.jobs.counts()).toMatchObject({ waiting: 1, active: 0 })
    expect((await batches.get(id))!.counts).toMatchObject({ waiting: 2, queued: 1 })
  })

  test('is cancelled as a whole: finished work stays, running work is stopped', async () => {
    let calls = 0
    await using opened = await open({
      async transcribe({ signal }) {
        if (++calls === 5) await new Promise((resolve) => signal.addEventListener('abort', resolve))
        return succeed(said(`${calls}`))
      },
    })
    const { archive, batches } = opened
    await several(archive, 3)
    const { id } = await batches.retranscribe(everything, requestOf())
    await until(() => calls === 5)
    expect(await batches.cancel(id)).toBe(true)
    expect(await batches.get(id)).toMatchObject({ state: 'canceled', counts: { completed: 1, canceled: 2 } })
    await until(async () => (await archive.jobs.counts()).active === 0)
    expect(calls).toBe(5)
    expect(await batches.cancel(id)).toBe(false)
    expect(await batches.cancel(newId(new Date()))).toBe(false)
  })

  test('resumes after a restart without repeating work', async () => {
    await using folder = await createTestFolder()
    const first = await open({ folder, feeding: false })
    const ids = await several(first.archive, 4)
    const { id } = await first.batches.retranscribe(everything, requestOf())
    // The item is queued in the transaction of its job, independent of the feeder.
    await retranscribedFor(first.archive, { batchId: id, captureId: ids[1]! })
    expect((await first.batches.get(id))!.counts).toMatchObject({ completed: 1, waiting: 3 })
    await first.stop()

    const transcribed: string[] = []
    const second = await open({
      folder,
      async transcribe({ path }) {
        transcribed.push(path)
        return succeed(said('second'))
      },
    })
    expect((await second.done(id)).counts).toMatchObject({ completed: 4, waiting: 0 })
    expect(transcribed).toHaveLength(3)
    for (const one of ids) expect(await second.archive.captures.versions(one)).toHaveLength(1)
    await second.stop()
  })

  test('skips a queued capture that is deleted meanwhile', async () => {
    await using folder = await createTestFolder()
    const first = await open({ folder, working: false, feeding: false })
    const made = [await capture(first.archive), await capture(first.archive)]
    for (const { capture: one } of made) await first.archive.captures.cancel(one.id)
    const { id } = await first.batches.retranscribe(everything, requestOf())
    await first.batches.start()
    await until(async () => (await first.batches.get(id))!.counts.queued === 1)
    await first.batches.stop()
    await first.archive.captures.remove(made[0]!.capture.id)
    await first.stop()
    const second = await open({ folder })
    expect(await second.done(id)).toMatchObject({
      counts: { skipped: 1, completed: 1 },
      errors: [{ captureId: made[0]!.capture.id, code: 'capture_not_found' }],
    })
    await second.stop()
  })

  test('ends at once without captures', async () => {
    await using opened = await open({ working: false })
    expect(await opened.batches.retranscribe(everything, requestOf())).toMatchObject({
      state: 'completed',
      total: 0,
    })
  })
})

describe('a plan', () => {
  test('counts and estimates without changing anything', async () => {
    await using opened = await open()
    const { archive, batches } = opened
    await several(archive, 3)
    const { sttModel } = (await archive.captures.list({ limit: 1, offset: 0 })).items[0]!
    // 55 ms of work for 1600 ms of audio.
    expect(await batches.plan(everything, requestOf({ model: sttModel! }))).toEqual({
      ...{ total: 3, toDo: 3, skipped: 0, audioSeconds: 4.8 },
      ...{ realTimeFactor: 0.034, measuredWith: 'this_model', estimateSeconds: 1 },
    })
    expect(await batches.plan(everything, requestOf())).toMatchObject({ measuredWith: 'other_models' })
    const done = await batches.plan(everything, requestOf({ model: sttModel!, skipIfSameModel: true }))
    expect(done).toMatchObject({ total: 3, toDo: 0, skipped: 3, audioSeconds: 0, estimateSeconds: 0 })
    expect((await batches.list({ limit: 10, offset: 0 })).total).toBe(0)
  })

  test('returns no speed if none was measured', async () => {
    await using opened = await open({ working: false })
    await capture(opened.archive)
    expect(await opened.batches.plan(everything, requestOf())).toMatchObject({
      ...{ total: 1, audioSeconds: 0, realTimeFactor: null, measuredWith: null, estimateSeconds: null },
    })
  })
})

describe('a batch of deletions', () => {
  test('deletes the selected captures for good, and nothing else', async () => {
    await using opened = await open()
    const { archive, batches, done } = opened
    const kept = await finishedCapture(archive, { appName: 'Mail' })
    const ids = await several(archive, 25)
    const { id } = await batches.remove({ ids: [...ids, newId(new Date())] })
    expect(await done(id)).toMatchObject({
      ...{ kind: 'delete', retranscription: null, total: 26, estimateSeconds: null },
      counts: { completed: 25, skipped: 1 },
    })
    const left = await archive.captures.list({ limit: 10, offset: 0 })
    expect(left.items.map((one) => one.id)).toEqual([kept.id])
  })

  test('does not wait for a retranscription batch, and ends jobs on deleted captures', async () => {
    await using opened = await open({
      transcribe: ({ signal }) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve(succeed(said('late'))))),
    })
    const { archive, batches, done } = opened
    const { capture: busy } = await capture(archive)
    const retranscription = await batches.retranscribe(everything, requestOf())
    const removal = await batches.remove({ ids: [busy.id] })
    expect((await done(removal.id)).counts.completed).toBe(1)
    expect(await archive.captures.get(busy.id)).toBeNull()
    expect((await done(retranscription.id)).counts.skipped).toBe(1)
  })
})

test('lists batches, newest first', async () => {
  await using opened = await open({ working: false })
  const { batches } = opened
  const first = await batches.remove({ ids: [] })
  const second = await batches.retranscribe(everything, requestOf())
  const { items, total } = await batches.list({ limit: 10, offset: 0 })
  expect([total, items.map(({ id }) => id)]).toEqual([2, [second.id, first.id]])
  expect((await batches.list({ limit: 1, offset: 1 })).items).toMatchObject([{ id: first.id }])
  expect(await batches.get('x')).toBeNull()
})

describe('a data folder of an earlier version', () => {
  const oldFolderOf = ({ dataFolder }: TestArchive) => join(dataFolder, 'batches')

  /** `batches/<id>.json`, as that version wrote it. */
  async function writeOld(archive: TestArchive, { id, kind, createdAt, ...batch }: OldBatch): Promise<void> {
    const folder = oldFolderOf(archive)
    await mkdir(folder, { recursive: true })
    const { state, retranscription, captureIds } = batch
    const request = { ...retranscription }
    const old = { format: 1, id, kind, state, request, createdAt, captureIds }
    await writeFile(join(folder, `${id}.json`), `${JSON.stringify(old)}\n`)
  }
  type OldBatch = Pick<Batch, 'id' | 'kind' | 'createdAt' | 'retranscription'> & {
    state: 'running' | 'canceled'
    captureIds: string[]
  }
  const rewind = (archive: TestArchive, statement: string) =>
    archive.database.run((orm) => orm.execute(statement))

  test('resumes a batch where that version was killed, without repeating work', async () => {
    await using folder = await createTestFolder()
    const first = await open({ folder, feeding: false })
    const ids = await several(first.archive, 4)
    const begun = await first.batches.retranscribe(everything, requestOf({ key: 'nightly' }))
    for (const captureId of ids.slice(0, 2))
      await retranscribedFor(first.archive, { batchId: begun.id, captureId })
    // One job had ended before its item followed; another before its item was even queued.
    const itemOf = (id: string) => `where batch_id = '${begun.id}' and capture_id = '${id}'`
    await rewind(first.archive, `update batch_items set state = 'queued' ${itemOf(ids[0]!)}`)
    await rewind(first.archive, `update batch_items set state = 'waiting', job_id = null ${itemOf(ids[1]!)}`)
    await writeOld(first.archive, { ...begun, state: 'running', captureIds: ids })
    await first.stop()

    const second = await open({ folder })
    const joined = await second.batches.retranscribe(everything, requestOf({ key: 'nightly' }))
    expect(joined.id).toBe(begun.id)
    expect(await second.done(begun.id)).toMatchObject({ state: 'completed', counts: { completed: 4 } })
    for (const id of ids) expect(await second.archive.captures.versions(id)).toHaveLength(1)
    expect(existsSync(oldFolderOf(second.archive))).toBe(false)
    await second.stop()
  })

  test('moves batches that its database lacks, ends cancelled ones, and leaves an invalid file', async () => {
    await using folder = await createTestFolder()
    const first = await open({ folder, feeding: false })
    const ids = await several(first.archive, 3)
    const deletion = await first.batches.remove({ ids: [ids[0]!] })
    const request = requestOf({ prompt: 'Ada' })
    const retranscription = await first.batches.retranscribe({ ids: [ids[1]!] }, request)
    await rewind(first.archive, 'delete from batches')
    const canceled = await first.batches.remove({ ids: [ids[2]!] })
    const oldBatches: OldBatch[] = [
      { ...deletion, state: 'running', captureIds: [ids[0]!, newId(new Date())] },
      { ...retranscription, state: 'running', captureIds: [ids[1]!] },
      { ...canceled, state: 'canceled', captureIds: [] },
    ]
    const writeAll = async (archive: TestArchive) => {
      for (const old of oldBatches) await writeOld(archive, old)
    }
    await writeAll(first.archive)
    const damaged = `${newId(new Date())}.json`
    await writeFile(join(oldFolderOf(first.archive), damaged), '{"format": 1, ')
    await first.stop()

    const seen = async ({ batches, done }: Awaited<ReturnType<typeof open>>) => {
      const { items } = await batches.list({ limit: 10, offset: 0 })
      return Promise.all(items.map(({ id }) => done(id)))
    }
    const errors: string[] = []
    const second = await open({ folder, log: { ...silentLog, error: (_, message) => errors.push(message) } })
    const moved = await seen(second)
    expect(moved).toMatchObject([
      { id: canceled.id, kind: 'delete', state: 'canceled', counts: { canceled: 1 } },
      { id: retranscription.id, retranscription: request, counts: { completed: 1 } },
      { id: deletion.id, kind: 'delete', counts: { completed: 1, skipped: 1 } },
    ])
    expect(moved[1]!.createdAt).toEqual(retranscription.createdAt)
    expect(await second.archive.captures.get(ids[0]!)).toBeNull()
    expect(await second.archive.captures.get(ids[2]!)).not.toBeNull()
    expect(errors).toEqual([expect.stringContaining('its file is invalid')])
    expect(await readdir(oldFolderOf(second.archive))).toEqual([damaged])
    // As after a kill between the commits and the removal of the files.
    await writeAll(second.archive)
    await second.stop()

    const third = await open({ folder })
    expect(await seen(third)).toEqual(moved)
    expect(await third.archive.captures.versions(ids[1]!)).toHaveLength(1)
    expect(await readdir(oldFolderOf(third.archive))).toEqual([damaged])
    await third.stop()
  })
})
