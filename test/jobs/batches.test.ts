// Work on many captures with real files, database and queue; the recogniser is a hand-written function.

import { describe, expect, test } from 'bun:test'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CaptureSelection } from '../../src/captures/which-captures.ts'
import type { Retranscription } from '../../src/jobs/batch.ts'
import { createBatches } from '../../src/jobs/batches.ts'
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
import { createTestFolder } from '../support/database.ts'
import { until } from '../support/until.ts'

const asked = (more: Partial<Retranscription> = {}): Retranscription => ({
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

const several = async (archive: TestArchive, count: number) => {
  const ids: string[] = []
  for (let made = 0; made < count; made++) ids.push((await finishedCapture(archive)).id)
  return ids
}

describe('a batch of retranscriptions', () => {
  test('is joined by whoever asks again with its key while it runs, and begun anew afterwards', async () => {
    const gate = Promise.withResolvers<void>()
    await using open_ = await open({
      async transcribe({ model }) {
        if (model !== null) await gate.promise
        return succeed(said('again', { model: model ?? 'none' }))
      },
    })
    const { archive, batches, done } = open_
    await several(archive, 2)
    const ask = () => batches.retranscribe(everything, asked({ key: 'nightly', skipIfSameModel: true }))
    const [first, second] = await Promise.all([ask(), ask()])
    expect(second.id).toBe(first.id)
    expect((await batches.retranscribe(everything, asked({ key: 'other' }))).id).not.toBe(first.id)
    gate.resolve()
    await done(first.id)
    const third = await ask()
    expect(third.id).not.toBe(first.id)
    expect(third.counts).toMatchObject({ skipped: 2, waiting: 0 })
  })

  test('does every capture once, one at a time, and says what became of each', async () => {
    const heard: string[] = []
    let [active, most] = [0, 0]
    await using open_ = await open({
      async transcribe({ path, model }) {
        most = Math.max(most, ++active)
        heard.push(path)
        await new Promise((resolve) => setImmediate(resolve))
        active--
        return succeed(said('again', { model: model ?? 'none' }))
      },
    })
    const { archive, batches, done } = open_
    const ids = await several(archive, 5)
    heard.length = most = 0
    const begun = await batches.retranscribe(everything, asked())
    expect(begun).toMatchObject({ kind: 'retranscribe', state: 'running', total: 5, counts: { waiting: 5 } })
    const ended = await done(begun.id)
    expect(ended).toMatchObject({ state: 'completed', counts: { completed: 5, failed: 0 }, errors: [] })
    expect(ended.finishedAt).toBeInstanceOf(Date)
    expect([heard.length, new Set(heard).size, most]).toEqual([5, 5, 1])
    for (const id of ids) {
      expect(await archive.captures.get(id)).toMatchObject({ transcriptRaw: 'again', status: 'completed' })
      expect(await archive.captures.versions(id)).toHaveLength(1)
    }
    expect((await archive.jobs.list({ state: 'completed', limit: 1, offset: 0 })).total).toBe(10)
  })

  test('takes captures by id, each once, and skips those that are not there', async () => {
    await using open_ = await open()
    const { archive, batches, done } = open_
    const [one, other] = await several(archive, 2)
    const nobody = newId(new Date())
    const { id } = await batches.retranscribe({ ids: [one!, one!.toUpperCase(), nobody] }, asked())
    expect(await done(id)).toMatchObject({
      total: 2,
      counts: { completed: 1, skipped: 1 },
      errors: [{ captureId: nobody, code: 'capture_not_found' }],
    })
    expect(await archive.captures.versions(other!)).toEqual([])
  })

  test('means what the filter meant when it was asked for', async () => {
    await using open_ = await open({ feeding: false })
    const { archive, batches, done } = open_
    await several(archive, 2)
    const mail = await finishedCapture(archive, { appName: 'Mail' })
    const { id, total } = await batches.retranscribe({ meant: { app: 'mail' } }, asked())
    await finishedCapture(archive, { appName: 'Mail' })
    expect(total).toBe(1)
    await batches.start()
    expect((await done(id)).counts.completed).toBe(1)
    expect(await archive.captures.versions(mail.id)).toHaveLength(1)
  })

  test('passes over what the model has done already, what is in the trash, and what has no audio', async () => {
    await using open_ = await open()
    const { archive, batches, done } = open_
    const [same, trashed, silent, german] = await several(archive, 4)
    await archive.database.run((orm) =>
      orm.execute(`update captures set audio_available = false where id = '${silent}'`),
    )
    await archive.captures.trash(trashed!)
    const model = (await archive.captures.get(same!))!.sttModel!
    const request = asked({ model, skipIfSameModel: true })
    const ids = [same!, trashed!, silent!]
    const begun = await batches.retranscribe({ ids }, request)
    expect(begun).toMatchObject({ state: 'completed', counts: { skipped: 3 } })
    // What needed nothing is no error.
    const codes = (await batches.get(begun.id))!.errors.map(({ captureId, code }) => [captureId, code])
    expect(codes).toEqual([
      [trashed!, 'capture_in_trash'],
      [silent!, 'audio_gone'],
    ])
    // Another language than it was heard in is not the same.
    const again = await batches.retranscribe({ ids: [german!] }, { ...request, language: 'de' })
    expect((await done(again.id)).counts).toMatchObject({ completed: 1, skipped: 0 })
  })

  test('refuses a language that the model lacks, capture by capture', async () => {
    await using open_ = await open()
    const { archive, batches, done } = open_
    await finishedCapture(archive, { language: 'de' })
    await finishedCapture(archive, { language: 'en' })
    const { id } = await batches.retranscribe(everything, asked({ model: 'base.en', multilingual: false }))
    expect(await done(id)).toMatchObject({
      counts: { completed: 1, failed: 1 },
      errors: [{ code: 'unsupported_language' }],
    })
  })

  test('goes on when a capture fails, and keeps what was there', async () => {
    let calls = 0
    await using open_ = await open({
      transcribe: async () =>
        ++calls === 4
          ? fail({ code: 'undecodable_audio', message: 'It is broken.' })
          : succeed(said(`${calls}`)),
    })
    const { archive, batches, done } = open_
    const ids = await several(archive, 3)
    const { id } = await batches.retranscribe(everything, asked())
    expect(await done(id)).toMatchObject({
      counts: { completed: 2, failed: 1 },
      errors: [{ captureId: ids[0]!, code: 'undecodable_audio', message: 'It is broken.' }],
    })
    expect(await archive.captures.get(ids[0]!)).toMatchObject({ status: 'completed', transcriptRaw: '1' })
  })

  test('waits for a capture that is busy, and does the others meanwhile', async () => {
    const gate = Promise.withResolvers<void>()
    let first = true
    await using open_ = await open({
      async transcribe() {
        if (first) {
          first = false
          await gate.promise
        }
        return succeed(said('done'))
      },
    })
    const { archive, batches, done } = open_
    const { capture: busy } = await capture(archive)
    await until(() => !first)
    const free = await finishedCapture(archive)
    const { id } = await batches.retranscribe(everything, asked())
    // The batch follows the capture in a moment of its own.
    await until(async () => (await batches.get(id))?.counts.completed === 1)
    expect((await archive.captures.versions(free.id))?.length).toBe(1)
    expect(await batches.get(id)).toMatchObject({ state: 'running', counts: { waiting: 1, completed: 1 } })
    gate.resolve()
    expect((await done(id)).counts.completed).toBe(2)
    expect(await archive.captures.versions(busy.id)).toHaveLength(1)
  })

  test('leaves the queue to dictations: one of its jobs is in it at a time', async () => {
    await using open_ = await open({ working: false, feeding: false })
    const { archive, batches } = open_
    for (let made = 0; made < 3; made++) {
      const { capture: one } = await capture(archive)
      await archive.captures.cancel(one.id)
    }
    const { id } = await batches.retranscribe(everything, asked())
    await batches.start()
    await until(async () => (await batches.get(id))!.counts.queued === 1)
    expect(await archive.jobs.counts()).toMatchObject({ waiting: 1, active: 0 })
    expect((await batches.get(id))!.counts).toMatchObject({ waiting: 2, queued: 1 })
  })

  test('is cancelled as a whole: what was done stays, what is under way is stopped', async () => {
    let calls = 0
    await using open_ = await open({
      async transcribe({ signal }) {
        if (++calls === 5) await new Promise((resolve) => signal.addEventListener('abort', resolve))
        return succeed(said(`${calls}`))
      },
    })
    const { archive, batches } = open_
    await several(archive, 3)
    const { id } = await batches.retranscribe(everything, asked())
    await until(() => calls === 5)
    expect(await batches.cancel(id)).toBe(true)
    expect(await batches.get(id)).toMatchObject({ state: 'canceled', counts: { completed: 1, canceled: 2 } })
    await until(async () => (await archive.jobs.counts()).active === 0)
    expect(calls).toBe(5)
    expect(await batches.cancel(id)).toBe(false)
    expect(await batches.cancel(newId(new Date()))).toBe(false)
  })

  test('goes on after a crash where it was, and does nothing twice', async () => {
    await using folder = await createTestFolder()
    const first = await open({ folder, feeding: false })
    const ids = await several(first.archive, 4)
    const { id } = await first.batches.retranscribe(everything, asked())
    // The job of one was queued, and the process died before its item said so.
    const request = { model: 'base', language: null, prompt: null, keepRefined: false, batchId: id }
    expect((await first.archive.captures.retranscribe(ids[1]!, request)).ok).toBe(true)
    await until(async () => (await first.archive.jobs.counts()).waiting === 0)
    await first.stop()

    const heard: string[] = []
    const second = await open({
      folder,
      async transcribe({ path }) {
        heard.push(path)
        return succeed(said('second'))
      },
    })
    expect((await second.done(id)).counts).toMatchObject({ completed: 4, waiting: 0 })
    expect(heard).toHaveLength(3)
    for (const one of ids) expect(await second.archive.captures.versions(one)).toHaveLength(1)
    await second.stop()
  })

  test('settles what ended while nobody looked: jobs that were cancelled, captures that were deleted', async () => {
    await using folder = await createTestFolder()
    const first = await open({ folder, working: false, feeding: false })
    const made = [await capture(first.archive), await capture(first.archive)]
    for (const { capture: one } of made) await first.archive.captures.cancel(one.id)
    const { id } = await first.batches.retranscribe(everything, asked())
    await first.batches.start()
    await until(async () => (await first.batches.get(id))!.counts.queued === 1)
    await first.batches.stop()
    await first.archive.captures.remove(made[0]!.capture.id)
    await first.stop()
    const second = await open({ folder })
    expect(await second.done(id)).toMatchObject({ counts: { skipped: 1, completed: 1 } })
    await second.stop()
  })

  test('is over at once when nothing is meant', async () => {
    await using open_ = await open({ working: false })
    expect(await open_.batches.retranscribe(everything, asked())).toMatchObject({
      state: 'completed',
      total: 0,
    })
  })
})

describe('a plan', () => {
  test('counts and estimates without doing anything', async () => {
    await using open_ = await open()
    const { archive, batches } = open_
    await several(archive, 3)
    const { sttModel } = (await archive.captures.list({ limit: 1, offset: 0 })).items[0]!
    // 55 ms of work for 1600 ms of audio.
    expect(await batches.plan(everything, asked({ model: sttModel! }))).toEqual({
      ...{ total: 3, toDo: 3, skipped: 0, audioSeconds: 4.8 },
      ...{ realTimeFactor: 0.034, measuredWith: 'this_model', estimateSeconds: 1 },
    })
    expect(await batches.plan(everything, asked())).toMatchObject({ measuredWith: 'other_models' })
    const done = await batches.plan(everything, asked({ model: sttModel!, skipIfSameModel: true }))
    expect(done).toMatchObject({ total: 3, toDo: 0, skipped: 3, audioSeconds: 0, estimateSeconds: 0 })
    expect((await batches.list({ limit: 10, offset: 0 })).total).toBe(0)
  })

  test('invents no speed where none was measured', async () => {
    await using open_ = await open({ working: false })
    await capture(open_.archive)
    expect(await open_.batches.plan(everything, asked())).toMatchObject({
      ...{ total: 1, audioSeconds: 0, realTimeFactor: null, measuredWith: null, estimateSeconds: null },
    })
  })
})

describe('a batch of deletions', () => {
  test('deletes for good what is meant, and nothing else', async () => {
    await using open_ = await open()
    const { archive, batches, done } = open_
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

  test('does not wait for one of retranscriptions, and ends the work on what it deletes', async () => {
    await using open_ = await open({
      transcribe: ({ signal }) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve(succeed(said('late'))))),
    })
    const { archive, batches, done } = open_
    const { capture: busy } = await capture(archive)
    const retranscription = await batches.retranscribe(everything, asked())
    const removal = await batches.remove({ ids: [busy.id] })
    expect((await done(removal.id)).counts.completed).toBe(1)
    expect(await archive.captures.get(busy.id)).toBeNull()
    expect((await done(retranscription.id)).counts.skipped).toBe(1)
  })
})

test('batches are listed, the newest first', async () => {
  await using open_ = await open({ working: false })
  const { batches } = open_
  const first = await batches.remove({ ids: [] })
  const second = await batches.retranscribe(everything, asked())
  const { items, total } = await batches.list({ limit: 10, offset: 0 })
  expect([total, items.map(({ id }) => id)]).toEqual([2, [second.id, first.id]])
  expect((await batches.list({ limit: 1, offset: 1 })).items).toMatchObject([{ id: first.id }])
  expect(await batches.get('x')).toBeNull()
})

describe('a power cut, after which the database does not know what was promised', () => {
  const filesOf = async ({ dataFolder }: TestArchive) =>
    (await readdir(join(dataFolder, 'batches'))).filter((name) => name.endsWith('.json'))
  const rewind = (archive: TestArchive, statement: string) =>
    archive.database.run((orm) => orm.execute(statement))

  const LOST = {
    'a batch': ['delete from batches', 'delete from jobs where batch_id is not null'],
    'what a batch is to do': ["delete from batch_items where state = 'waiting'"],
  }
  test.each(Object.entries(LOST))(
    '%s is put back, and what it has done is not done again',
    async (_, lost) => {
      await using folder = await createTestFolder()
      const gate = Promise.withResolvers<void>()
      let again = 0
      const first = await open({
        folder,
        async transcribe({ model, signal }) {
          if (model === null || ++again < 3) return succeed(said('hello', { model: model ?? 'none' }))
          gate.resolve()
          return new Promise((resolve) =>
            signal.addEventListener('abort', () => resolve(fail({ code: 'aborted', message: 'Stopped.' }))),
          )
        },
      })
      const ids = await several(first.archive, 4)
      const request = asked({ prompt: 'Ada', key: 'nightly' })
      const begun = await first.batches.retranscribe(everything, request)
      await gate.promise
      expect(await filesOf(first.archive)).toEqual([`${begun.id}.json`])
      for (const statement of lost) await rewind(first.archive, statement)
      await first.stop()

      const prompts: unknown[] = []
      const second = await open({
        folder,
        async transcribe({ model, prompt }) {
          prompts.push(prompt)
          return succeed(said('again', { model: model ?? 'none' }))
        },
      })
      const joined = await second.batches.retranscribe(everything, request)
      expect(joined).toMatchObject({ id: begun.id, total: 4, createdAt: begun.createdAt })
      expect(await second.done(begun.id)).toMatchObject({
        ...{ kind: 'retranscribe', state: 'completed', retranscription: request, counts: { completed: 4 } },
      })
      expect(prompts).toEqual(['Ada', 'Ada'])
      for (const id of ids) expect(await second.archive.captures.versions(id)).toHaveLength(1)
      await until(async () => (await filesOf(second.archive)).length === 0)
      await second.stop()
    },
  )

  test('a transcription that only its capture remembers is not done again', async () => {
    await using folder = await createTestFolder()
    await using open_ = await open({ folder, feeding: false })
    const { archive, batches, done } = open_
    const [id] = await several(archive, 1)
    const begun = await batches.retranscribe(everything, asked())
    const request = { model: 'base', language: null, prompt: null, keepRefined: false, batchId: begun.id }
    const queued = await archive.captures.retranscribe(id!, request)
    if (!queued.ok) throw new Error(queued.failure.message)
    await endedJob(archive, queued.value.jobId)
    await rewind(archive, `delete from jobs where id = '${queued.value.jobId}'`)
    await batches.start()
    expect((await done(begun.id)).counts).toMatchObject({ completed: 1, skipped: 0, failed: 0 })
    expect(await archive.captures.versions(id!)).toHaveLength(1)
    // Another batch is another matter.
    expect((await done((await batches.retranscribe(everything, asked())).id)).counts.completed).toBe(1)
    expect(await archive.captures.versions(id!)).toHaveLength(2)
  })

  test('a deletion goes on, and one that was cancelled does not', async () => {
    await using folder = await createTestFolder()
    const first = await open({ folder, feeding: false })
    const ids = await several(first.archive, 3)
    const kept = await first.batches.remove({ ids: [ids[0]!, ids[1]!] })
    const canceled = await first.batches.remove({ ids: [ids[2]!] })
    expect(await first.batches.cancel(canceled.id)).toBe(true)
    await rewind(first.archive, `delete from batches where id = '${kept.id}'`)
    await rewind(first.archive, `update batches set state = 'running', finished_at = null`)
    await rewind(first.archive, `update batch_items set state = 'waiting'`)
    await first.stop()

    const second = await open({ folder })
    expect(await second.done(kept.id)).toMatchObject({ kind: 'delete', counts: { completed: 2 } })
    expect(await second.batches.get(canceled.id)).toMatchObject({
      state: 'canceled',
      counts: { canceled: 1 },
    })
    expect(await second.archive.captures.get(ids[0]!)).toBeNull()
    expect(await second.archive.captures.get(ids[2]!)).not.toBeNull()
    await second.stop()
  })

  test('a batch that was over is not taken up again by a database that remembers it as running', async () => {
    await using folder = await createTestFolder()
    const first = await open({ folder })
    const ids = await several(first.archive, 2)
    const done = await first.done((await first.batches.retranscribe(everything, asked())).id)
    // What came after it is what the captures remember.
    await first.done((await first.batches.retranscribe(everything, asked())).id)
    await first.stop()
    const idle = await open({ folder, feeding: false })
    const canceled = await idle.batches.remove({ ids })
    expect(await idle.batches.cancel(canceled.id)).toBe(true)
    for (const name of await filesOf(idle.archive)) await rm(join(idle.archive.dataFolder, 'batches', name))
    const over = `('${done.id}', '${canceled.id}')`
    await rewind(idle.archive, `update batches set state = 'running', finished_at = null where id in ${over}`)
    await rewind(idle.archive, `update batch_items set state = 'waiting' where batch_id in ${over}`)
    await idle.stop()

    const second = await open({ folder })
    for (const { id } of [done, canceled])
      expect(await second.done(id)).toMatchObject({ state: 'canceled', counts: { canceled: 2 } })
    for (const id of ids) expect(await second.archive.captures.versions(id)).toHaveLength(2)
    await second.stop()
  })

  test('refuses to begin what cannot be written down', async () => {
    await using open_ = await open()
    const { archive, batches } = open_
    const [id] = await several(archive, 1)
    await writeFile(join(archive.dataFolder, 'batches'), 'no folder')
    await expect(batches.remove({ ids: [id!] })).rejects.toThrow()
    expect((await batches.list({ limit: 1, offset: 0 })).total).toBe(0)
    expect(await archive.captures.get(id!)).not.toBeNull()
  })

  test('a file that is spoiled keeps nothing else from going on, and is left for a person to look at', async () => {
    await using folder = await createTestFolder()
    const first = await open({ folder, feeding: false })
    await several(first.archive, 1)
    const spoiled = await first.batches.remove(everything)
    const { id } = await first.batches.retranscribe(everything, asked())
    await writeFile(join(first.archive.dataFolder, 'batches', `${spoiled.id}.json`), '{"format": 1, ')
    await rewind(first.archive, 'delete from batches')
    await first.stop()
    const errors: string[] = []
    const second = await open({ folder, log: { ...silentLog, error: (_, message) => errors.push(message) } })
    expect((await second.done(id)).counts.completed).toBe(1)
    expect([await second.batches.get(spoiled.id), errors]).toEqual([
      null,
      [expect.stringContaining('spoiled')],
    ])
    expect(await filesOf(second.archive)).toContain(`${spoiled.id}.json`)
    await second.stop()
  })
})
