// The trash with real files, database and queue; the recogniser is a hand-written function.

import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { jobs } from '../../db/schema.ts'
import { fail, succeed } from '../../src/lib/result.ts'
import { newId } from '../../src/lib/uuid.ts'
import {
  capture,
  copyOf,
  fields,
  finishedCapture,
  openArchive,
  receive,
  refined,
  said,
  type TestArchive,
  withEmptyDatabase,
} from '../support/archive.ts'
import { createTestFolder } from '../support/database.ts'
import { until } from '../support/until.ts'

const everything = { limit: 50, offset: 0 }
const listed = async ({ captures }: TestArchive) =>
  (await captures.list(everything)).items.map(({ id }) => id)
const statusBecomes = (archive: TestArchive, id: string, status: string) =>
  until(async () => (await archive.captures.get(id))?.status === status, {
    what: `the capture to be ${status}`,
  })

test('hides a trashed capture from every list, keeps everything, and restores it unchanged', async () => {
  await using archive = await openArchive()
  const made = await finishedCapture(archive)
  const trashed = (await archive.captures.trash(made.id))!
  expect(trashed).toEqual({
    ...made,
    trashedAt: expect.any(Date),
    updatedAt: expect.any(Date),
    revision: made.revision + 1,
  })
  expect(await listed(archive)).toEqual([])
  expect((await archive.captures.audioFile(made.id)).ok).toBe(true)
  expect((await copyOf(archive, made.id)).capture.trashedAt).toEqual(trashed.trashedAt)

  const restored = (await archive.captures.restore(made.id))!
  expect(restored).toEqual({ ...made, updatedAt: expect.any(Date), revision: made.revision + 2 })
  expect(await listed(archive)).toEqual([made.id])
})

test('ignores a repeated trash or restore request', async () => {
  await using archive = await openArchive()
  const made = await finishedCapture(archive)
  expect(await archive.captures.restore(made.id)).toEqual(made)
  const trashed = await archive.captures.trash(made.id)
  expect(await archive.captures.trash(made.id)).toEqual(trashed)
})

test('neither trashes nor restores a missing capture', async () => {
  await using archive = await openArchive({ working: false })
  for (const id of [newId(new Date()), 'x']) {
    expect(await archive.captures.trash(id)).toBeNull()
    expect(await archive.captures.restore(id)).toBeNull()
  }
})

test('cancels the first transcription in the trash, and queues it when the capture is restored', async () => {
  let attempts = 0
  await using archive = await openArchive({
    transcribe: async ({ signal }) => {
      attempts++
      if (attempts === 1) await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return succeed(said('transcribed in the end'))
    },
  })
  const { capture: made, jobId } = await capture(archive)
  await statusBecomes(archive, made.id, 'transcribing')
  expect(await archive.captures.trash(made.id)).toMatchObject({
    status: 'canceled',
    error: { code: 'trashed' },
  })
  expect((await archive.jobs.get(jobId))?.state).toBe('canceled')
  expect(await archive.captures.restore(made.id)).toMatchObject({ status: 'pending', error: null })
  await statusBecomes(archive, made.id, 'completed')
  expect(await archive.captures.get(made.id)).toMatchObject({
    transcriptRaw: 'transcribed in the end',
    error: null,
  })
})

test('keeps a cancelled capture cancelled when it is restored', async () => {
  await using archive = await openArchive({ working: false })
  const { capture: made } = await capture(archive)
  await archive.captures.cancel(made.id)
  await archive.captures.trash(made.id)
  expect(await archive.captures.restore(made.id)).toMatchObject({ status: 'canceled', error: null })
  expect((await archive.jobs.counts()).waiting).toBe(0)
})

test('cancels a retranscription in the trash, and keeps the earlier text', async () => {
  await using folder = await createTestFolder()
  const first = await openArchive({ folder })
  const made = await finishedCapture(first)
  await first.stop()
  // No worker runs the queued job.
  await using archive = await openArchive({ folder, working: false })
  const request = { model: null, language: null, prompt: null, keepRefined: false }
  const queued = await archive.captures.retranscribe(made.id, request)
  if (!queued.ok) throw new Error(queued.failure.message)
  expect(await archive.captures.trash(made.id)).toMatchObject({ status: 'completed', transcriptRaw: 'hello' })
  expect((await archive.jobs.get(queued.value.jobId))?.state).toBe('canceled')
  expect(await archive.captures.restore(made.id)).toMatchObject({ status: 'completed', error: null })
})

test('refuses to transcribe a capture in the trash', async () => {
  await using archive = await openArchive()
  const made = await finishedCapture(archive)
  await archive.captures.trash(made.id)
  const request = { model: null, language: null, prompt: null, keepRefined: false }
  expect(await archive.captures.retranscribe(made.id, request)).toMatchObject({
    failure: { code: 'capture_in_trash', conflictingId: made.id },
  })
})

test('keeps the trash after the loss of the database, and transcribes none of it at the next start', async () => {
  await using folder = await createTestFolder()
  const first = await openArchive({ folder, working: false })
  const { capture: made } = await capture(first)
  await first.captures.trash(made.id)
  await first.stop()
  await using fresh = await withEmptyDatabase(folder)
  const second = await openArchive({ folder: fresh, working: false })
  expect(await listed(second)).toEqual([])
  expect((await second.jobs.counts()).waiting).toBe(0)
  expect(await second.captures.restore(made.id)).toMatchObject({ status: 'pending' })
  await second.stop()
})

test('keeps the requested refinement of a capture in the trash', async () => {
  await using folder = await createTestFolder()
  const first = await openArchive({ folder, working: false })
  const { capture: made } = await capture(first, { refine: true })
  const incoming = await receive(first.dataFolder)
  const discarded = await first.captures.discard({ incoming, fields: fields({ refine: true }) })
  if (!discarded.ok) throw new Error(discarded.failure.message)
  const ids = [made.id, discarded.value.id]
  await first.captures.trash(made.id)
  for (const id of ids) await first.captures.update(id, { title: 'in the trash' })
  await first.stop()

  const second = await openArchive({ folder, refiner: { refine: async (text) => refined(`${text}.`) } })
  for (const id of ids) {
    await second.captures.restore(id)
    await statusBecomes(second, id, 'completed')
    expect(await second.captures.get(id)).toMatchObject({
      transcriptRefined: 'hello.',
      title: 'in the trash',
    })
  }
  await second.stop()
})

test('restores the options of the transcription from the trash, but not its batch', async () => {
  const prompts: unknown[] = []
  await using archive = await openArchive({
    transcribe: async ({ prompt, signal }) => {
      prompts.push(prompt)
      if (prompts.length === 1) return fail({ code: 'undecodable_audio', message: 'Not this time.' })
      if (prompts.length === 2) await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return succeed(said('hello'))
    },
  })
  const made = await finishedCapture(archive)
  const request = { model: null, language: null, prompt: 'Zürich', keepRefined: false }
  await archive.captures.retranscribe(made.id, { ...request, batchId: newId(new Date()) })
  await until(() => prompts.length === 2, { what: 'the second attempt' })
  await archive.captures.trash(made.id)
  await archive.captures.restore(made.id)
  await statusBecomes(archive, made.id, 'completed')
  expect(prompts).toEqual([null, 'Zürich', 'Zürich'])
  const [newest] = (await archive.jobs.list({ captureId: made.id, limit: 1, offset: 0 })).items
  const [row] = await archive.database.run((orm) => orm.select().from(jobs).where(eq(jobs.id, newest!.id)))
  expect(row).toMatchObject({ prompt: 'Zürich', batchId: null })
})
