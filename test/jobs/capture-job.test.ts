// Jobs on captures, with real files, database and queue; the recogniser is a hand-written function.

import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { fail, succeed } from '../../src/lib/result.ts'
import { capture, endedJob, finishedCapture, openArchive, said } from '../support/archive.ts'
import { testAtLength } from '../support/at-length.ts'
import { createTestFolder } from '../support/database.ts'
import { until } from '../support/until.ts'

test('transcribes a recording', async () => {
  await using archive = await openArchive({ transcribe: async () => succeed(said('We met at noon.')) })
  const { capture: made, jobId } = await capture(archive)
  expect(made).toMatchObject({ status: 'pending', transcriptRaw: '', revision: 1 })

  const job = await endedJob(archive, jobId)
  expect(job).toMatchObject({ state: 'completed', progress: 1, attempts: 1, error: null, kind: 'transcribe' })
  expect(await archive.captures.get(made.id)).toMatchObject({
    status: 'completed',
    transcriptRaw: 'We met at noon.',
    transcriptEngine: 'We met at noon.',
    wordCount: 4,
    sttModel: 'tiny.en-q5_1',
    detectedLanguage: 'en',
    durationMs: 1600,
    processingMs: { decode: 5, transcribe: 50, refine: null },
    segments: [{ text: 'We met at noon.' }],
    revision: 3,
  })
})

test('fails at once on a permanent error and keeps the audio', async () => {
  const failure = { code: 'undecodable_audio', message: 'This cannot be decoded.' }
  await using archive = await openArchive({ transcribe: async () => fail(failure) })
  const { capture: made, jobId } = await capture(archive)
  const job = await endedJob(archive, jobId)
  expect(job).toMatchObject({ state: 'failed', attempts: 1, error: failure })
  expect(await archive.captures.get(made.id)).toMatchObject({
    status: 'failed',
    error: failure,
    audioAvailable: true,
  })
  expect((await archive.captures.audioFile(made.id)).ok).toBe(true)
})

testAtLength('retries after an engine crash, three attempts in all', async () => {
  let attempts = 0
  await using archive = await openArchive({
    transcribe: async () => {
      attempts++
      return fail({ code: 'engine_crashed', message: 'The engine died.' })
    },
  })
  const { jobId } = await capture(archive)
  const job = await endedJob(archive, jobId)
  expect(job).toMatchObject({ state: 'failed', attempts: 3, error: { code: 'engine_crashed' } })
  expect(attempts).toBe(3)
})

testAtLength('loses neither a job nor its attempts while it is put back again and again', async () => {
  const codes = ['engine_closed', 'engine_closed', 'engine_closed', 'engine_closed', 'engine_crashed']
  await using archive = await openArchive({
    transcribe: async () => {
      const code = codes.shift()
      return code === undefined ? succeed(said('at last')) : fail({ code, message: 'Not now.' })
    },
  })
  const { capture: made } = await capture(archive)
  const isDone = async () => (await archive.captures.get(made.id))?.status === 'completed'
  await until(isDone, { timeoutMs: 180_000, what: 'the job to be delivered again' })
  expect(await archive.captures.get(made.id)).toMatchObject({ transcriptRaw: 'at last' })
})

testAtLength('completes on a successful second attempt', async () => {
  let attempts = 0
  await using archive = await openArchive({
    transcribe: async () =>
      ++attempts === 1 ? fail({ code: 'engine_timeout', message: 'Too slow.' }) : succeed(said('at last')),
  })
  expect(await finishedCapture(archive)).toMatchObject({ status: 'completed', transcriptRaw: 'at last' })
})

testAtLength('stops a cancelled job at once, and drops a late result', async () => {
  await using folder = await createTestFolder()
  const started = Promise.withResolvers<void>()
  const aborted = Promise.withResolvers<void>()
  const late = Promise.withResolvers<void>()
  const archive = await openArchive({
    folder,
    transcribe: async ({ signal }) => {
      signal.addEventListener('abort', () => aborted.resolve())
      started.resolve()
      await late.promise
      return succeed(said('too late'))
    },
  })
  const { capture: made, jobId } = await capture(archive)
  await started.promise
  expect(await archive.captures.get(made.id)).toMatchObject({ status: 'transcribing' })
  expect(await archive.captures.cancel(made.id)).toBe(jobId)
  await aborted.promise
  expect(await archive.jobs.get(jobId)).toMatchObject({ state: 'canceled' })
  late.resolve()
  await archive.stop()

  await using again = await openArchive({ folder })
  expect(await again.captures.get(made.id)).toMatchObject({ status: 'canceled', transcriptRaw: '' })
})

test('drops the result of an outdated attempt', async () => {
  const started = Promise.withResolvers<void>()
  const late = Promise.withResolvers<void>()
  await using archive = await openArchive({
    async transcribe() {
      started.resolve()
      await late.promise
      return succeed(said('of the attempt before'))
    },
  })
  const { capture: made, jobId } = await capture(archive)
  await started.promise
  await archive.database.run((orm) => orm.execute(sql`update jobs set attempts = 2 where id = ${jobId}`))
  late.resolve()
  const isOver = async () => (await archive.queue.boss.findJobs('transcribe'))[0]?.state === 'completed'
  await until(isOver, { what: 'the attempt to end' })
  expect(await archive.jobs.get(jobId)).toMatchObject({ state: 'active', attempts: 2 })
  expect(await archive.captures.get(made.id)).toMatchObject({ transcriptRaw: '', revision: 2 })
})

testAtLength('deletes the delivery in the transaction that writes the result', async () => {
  await using archive = await openArchive()
  const { jobId } = await capture(archive)
  await archive.jobs.wait(jobId, { timeoutMs: 60_000 })
  expect(await archive.queue.boss.findJobs('transcribe')).toEqual([])
})

test('cancels a waiting job before it starts', async () => {
  await using archive = await openArchive({ working: false })
  const { capture: made, jobId } = await capture(archive)
  expect(await archive.jobs.cancel(jobId)).toBe(true)
  expect(await archive.jobs.cancel(jobId)).toBe(false)
  expect(await archive.captures.get(made.id)).toMatchObject({ status: 'canceled' })
  await archive.jobs.start()
  expect(await archive.jobs.get(jobId)).toMatchObject({ state: 'canceled', attempts: 0 })
})

testAtLength('returns a running job to the queue at a stop, and resumes it at the next start', async () => {
  await using folder = await createTestFolder()
  const started = Promise.withResolvers<void>()
  const archive = await openArchive({
    folder,
    transcribe: async ({ signal }) => {
      started.resolve()
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return fail({ code: 'aborted', message: 'Stopped.' })
    },
  })
  const { capture: made, jobId } = await capture(archive)
  await started.promise
  await archive.stop()

  await using again = await openArchive({ folder, transcribe: async () => succeed(said('gone on')) })
  expect(await endedJob(again, jobId)).toMatchObject({
    state: 'completed',
    attempts: 1,
  })
  expect(await again.captures.get(made.id)).toMatchObject({ status: 'completed', transcriptRaw: 'gone on' })
})

test('reports progress while a job runs', async () => {
  const seen = Promise.withResolvers<void>()
  await using archive = await openArchive({
    transcribe: async ({ onProgress }) => {
      onProgress?.(0.25)
      await seen.promise
      return succeed(said('done'))
    },
  })
  const { jobId } = await capture(archive)
  const running = await until(
    async () => {
      const job = await archive.jobs.get(jobId)
      return job?.progress === 0.25 && job
    },
    { what: 'progress' },
  )
  expect(running).toMatchObject({ state: 'active', startedAt: expect.any(Date) })
  seen.resolve()
  expect(await endedJob(archive, jobId)).toMatchObject({ progress: 1 })
})

test('runs four jobs at once, the others in order of arrival', async () => {
  const begun: string[] = []
  const gates = new Map<string, () => void>()
  await using archive = await openArchive({
    transcribe: async ({ path }) => {
      begun.push(path.split('/').pop()!.slice(0, 36))
      const gate = Promise.withResolvers<void>()
      gates.set(begun.at(-1)!, gate.resolve)
      await gate.promise
      return succeed(said('x'))
    },
  })
  const made = []
  for (let count = 0; count < 6; count++) made.push(await capture(archive))
  const ids = made.map((one) => one.capture.id)
  const untilBegun = (count: number) =>
    until(() => begun.length === count, { what: () => `${count} of ${begun.length} jobs` })
  await untilBegun(4)
  expect(begun.toSorted()).toEqual(ids.slice(0, 4))
  expect(await archive.jobs.counts()).toMatchObject({
    waiting: 2,
    active: 4,
    oldestWaiting: expect.any(Date),
  })
  gates.get(ids[2]!)?.()
  await untilBegun(5)
  gates.get(ids[0]!)?.()
  await untilBegun(6)
  expect(begun.slice(4)).toEqual(ids.slice(4))

  for (const open of gates.values()) open()
  for (const { jobId } of made) await endedJob(archive, jobId)
  const newest = await archive.jobs.list({ limit: 3, offset: 0 })
  expect(newest.items.map((job) => job.captureId)).toEqual(ids.slice(3).reverse())
  expect((await archive.jobs.list({ state: 'completed', limit: 1, offset: 0 })).total).toBe(6)
})

testAtLength('runs resumed jobs in order of arrival after a restart, before newer ones', async () => {
  await using folder = await createTestFolder()
  const first = await openArchive({ folder, working: false })
  const sent: string[] = []
  for (let count = 0; count < 6; count++) sent.push((await capture(first)).jobId)
  await first.stop()

  const finish = Promise.withResolvers<void>()
  await using again = await openArchive({
    folder,
    async transcribe() {
      await finish.promise
      return succeed(said('at last'))
    },
  })
  sent.push((await capture(again)).jobId)
  const begun = () => again.jobs.list({ state: 'active', limit: 10, offset: 0 })
  await until(async () => (await begun()).total === 4, { what: 'four jobs to begin' })
  expect((await begun()).items.map(({ id }) => id).sort()).toEqual(sent.slice(0, 4))
  finish.resolve()
  for (const jobId of sent) await endedJob(again, jobId)
  const ended = await Promise.all(sent.map((jobId) => again.jobs.get(jobId)))
  const starts = ended.map((job) => job!.startedAt!.getTime())
  expect(Math.max(...starts.slice(0, 4))).toBeLessThanOrEqual(starts[4]!)
  expect(starts[6]).toBeGreaterThanOrEqual(starts[4]!)
})

test('returns null when the wait for a job times out', async () => {
  await using archive = await openArchive({ working: false })
  const { jobId } = await capture(archive)
  expect(await archive.jobs.wait(jobId, { timeoutMs: 1 })).toBeNull()
  const signal = AbortSignal.abort()
  expect(await archive.jobs.wait(jobId, { timeoutMs: 60_000, signal })).toBeNull()
})

test('returns the stored capture to a caller that waits for the job', async () => {
  await using archive = await openArchive({ transcribe: async () => succeed(said('We met at noon.')) })
  const { capture: made, jobId } = await capture(archive)
  const ending = await archive.jobs.wait(jobId, { timeoutMs: 60_000 })
  expect(ending?.capture).toMatchObject({ status: 'completed', transcriptRaw: 'We met at noon.' })
  expect(ending?.capture).toEqual((await archive.captures.get(made.id))!)
})

test('returns at once for an ended or unknown job', async () => {
  await using archive = await openArchive({ transcribe: async () => succeed(said('done')) })
  const { jobId } = await capture(archive)
  await endedJob(archive, jobId)
  const nothing = { capture: null, warnings: [] }
  expect(await archive.jobs.wait(jobId, { timeoutMs: 60_000 })).toEqual(nothing)
  expect(await archive.jobs.wait(crypto.randomUUID(), { timeoutMs: 60_000 })).toEqual(nothing)
})

test('returns warnings to a waiting caller, and drops its clipboard text afterwards', async () => {
  const warning = { code: 'dictionary_too_slow', message: 'A pattern took too long.' }
  await using archive = await openArchive({
    transcribe: async (request) => {
      await until(() => request.clipboard?.() != null)
      return succeed({ ...said(request.clipboard?.() ?? ''), warnings: [warning] })
    },
  })
  const { jobId } = await capture(archive)
  archive.jobs.giveClipboard(jobId, 'https://example.com')
  archive.jobs.giveClipboard(crypto.randomUUID(), 'of no job')
  const ending = await archive.jobs.wait(jobId, { timeoutMs: 60_000 })
  expect(ending).toMatchObject({ capture: { transcriptRaw: 'https://example.com' }, warnings: [warning] })
  expect(archive.queue.completions.clipboardOf(jobId)).toBeNull()
})
