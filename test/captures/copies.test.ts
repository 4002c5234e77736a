// Each copy beside a recording follows its capture, is complete, and never replaces a tombstone. With real files and
// databases; the recogniser is a hand-written function.

import { expect, test } from 'bun:test'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { noteUncopied } from '../../db/captures.ts'
import type { Capture } from '../../src/captures/capture.ts'
import { recordPathOf } from '../../src/captures/capture-files.ts'
import { verifyCaptures } from '../../src/captures/copies.ts'
import { newRecord, readRecord, writeRecord } from '../../src/captures/record.ts'
import { fail, type Result, succeed } from '../../src/lib/result.ts'
import { createDataFolderStore } from '../../src/store/data-folder.ts'
import type { Transcript } from '../../src/transcription/transcript.ts'
import {
  capture,
  copyOf,
  endedJob,
  fields,
  finishedCapture,
  openArchive,
  receive,
  recordOf,
  said,
  type TestArchive,
  withEmptyDatabase,
} from '../support/archive.ts'
import { testAtLength } from '../support/at-length.ts'
import { createTestFolder } from '../support/database.ts'

const PLAIN = { model: null, language: null, prompt: null, keepRefined: false }
const REFINEMENT = { flags: null, writingStyleId: null, useLlm: null, llmModel: null }

async function retranscribe({ captures }: TestArchive, id: string, more: object = {}): Promise<string> {
  const queued = await captures.retranscribe(id, { ...PLAIN, ...more })
  if (!queued.ok) throw new Error(queued.failure.message)
  return queued.value.jobId
}

const everythingOf = async ({ captures }: TestArchive, ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => [await captures.get(id), await captures.versions(id)] as const))

/** The unfinished job of each capture, without its state. */
const workOf = async ({ jobs }: TestArchive, ids: readonly string[]) =>
  Promise.all(
    ids.map(async (captureId) => {
      const { items } = await jobs.list({ captureId, state: 'waiting', limit: 5, offset: 0 })
      return items.map(({ id, kind, createdAt }) => ({ id, kind, createdAt }))
    }),
  )

testAtLength(
  'rebuilds identical captures from the copies: text, segments, versions, trash, shelved and waiting jobs',
  async () => {
    await using folder = await createTestFolder()
    const words = [{ word: 'Zürich', startMs: 0, endMs: 400, probability: 0.5 }]
    const segment = {
      startMs: 0,
      endMs: 900,
      text: 'Zürich \u0000 zwölf',
      avgLogprob: -0.5,
      noSpeechProb: 0.25,
      words,
    }
    const outcomes: Result<Transcript, { code: string; message: string }>[] = [
      succeed(said('first words')),
      succeed(said('Zürich zwölf', { segments: [segment] })),
      succeed(said('trashed words')),
      fail({ code: 'unknown_model', message: 'No such model.' }),
      succeed(said('gone')),
    ]
    const first = await openArchive({
      folder,
      transcribe: async () => outcomes.shift() ?? succeed(said('more')),
    })
    const app = { appName: 'Mail', appId: 'com.apple.mail', appUrl: 'https://mail', windowTitle: 'Re: lunch' }
    const edited = await finishedCapture(first, { ...app, title: 'Lunch', language: 'de', fileName: null })
    await endedJob(first, await retranscribe(first, edited.id, { model: 'base', prompt: 'Zürich' }))
    await first.captures.correctSegment(edited.id, { number: 0, text: 'Zürich, zwölf Uhr' })
    await first.captures.update(edited.id, { transcriptRefined: 'By hand.', starred: true })
    const trashed = await finishedCapture(first)
    await first.captures.trash(trashed.id)
    const failed = await finishedCapture(first, { recordedAt: new Date('2019-05-01T12:00:00.000Z') })
    const gone = await finishedCapture(first)
    await first.captures.remove(gone.id)
    await first.stop()

    const idle = await openArchive({ folder, working: false })
    const waiting = (await capture(idle, { language: 'fr', sttModel: 'base', refine: true })).capture
    const shelved = (await capture(idle, { refine: true })).capture
    await idle.captures.trash(shelved.id)
    const discarded = await idle.captures.discard({
      incoming: await receive(folder.dataFolder),
      fields: fields({ title: 'thrown away' }),
    })
    if (!discarded.ok) throw new Error(discarded.failure.message)
    await retranscribe(idle, edited.id, { prompt: 'Ada', keepRefined: true })
    const ids = [edited, trashed, failed, waiting, shelved, discarded.value].map(({ id }) => id)
    const [before, work] = [await everythingOf(idle, ids), await workOf(idle, ids)]
    await idle.stop()

    await using fresh = await withEmptyDatabase(folder)
    const rebuilt = await openArchive({ folder: fresh, working: false })
    expect(rebuilt.recovery).toMatchObject({ restored: ids.length, adopted: 0, audioMissing: 0 })
    expect(await everythingOf(rebuilt, ids)).toEqual(before)
    expect(await workOf(rebuilt, ids)).toEqual(work)
    expect(await rebuilt.captures.get(gone.id)).toBeNull()
    expect((await verifyCaptures(rebuilt)).differences).toEqual([])
    expect(await rebuilt.captures.remove(gone.id)).toBe(false)
    await rebuilt.stop()

    const requested: unknown[] = []
    await using last = await openArchive({
      folder: fresh,
      async transcribe({ language, prompt }) {
        requested.push([language, prompt])
        return succeed(said('at last'))
      },
    })
    for (const job of work.flat()) expect(await endedJob(last, job.id)).toMatchObject({ state: 'completed' })
    expect(requested.toSorted()).toEqual([
      [null, 'Ada'],
      ['fr', null],
    ])
    expect(await last.captures.get(edited.id)).toMatchObject({ transcriptRefined: 'By hand.' })
    expect(await last.captures.restore(shelved.id)).toMatchObject({ status: 'pending' })
  },
)

testAtLength('updates the copy after each kind of change', async () => {
  await using archive = await openArchive()
  const { captures } = archive
  const { id } = await finishedCapture(archive)
  const changes: (() => Promise<unknown>)[] = [
    () => captures.update(id, { title: 'A title', starred: true }),
    () => captures.update(id, { transcriptRefined: 'By hand.' }),
    () => captures.correctSegment(id, { number: 0, text: 'hullo' }),
    async () => endedJob(archive, await retranscribe(archive, id)),
    async () => {
      const queued = await captures.refine(id, REFINEMENT)
      if (queued.ok) await endedJob(archive, queued.value.jobId)
    },
    () => captures.restoreVersion(id, 1),
    () => captures.trash(id),
    () => captures.restore(id),
    () => captures.removal.removeAudio(id, () => true),
  ]
  let revision = 0
  for (const change of changes) {
    await change()
    const copy = await copyOf(archive, id)
    const now = (await captures.get(id))!
    expect(copy.capture).toEqual(now)
    expect(copy.versions.map(({ number }) => number)).toEqual(
      (await captures.versions(id))!.map(({ number }) => number),
    )
    expect(now.revision).toBeGreaterThan(revision)
    revision = now.revision
  }
})

testAtLength(
  'stores the waiting job of a completed capture in the copy, and removes it when the job has ended',
  async () => {
    await using folder = await createTestFolder()
    const first = await openArchive({ folder })
    const { id } = await finishedCapture(first)
    await first.stop()
    const idle = await openArchive({ folder, working: false })
    const canceled = await retranscribe(idle, id, { prompt: 'Ada' })
    expect((await copyOf(idle, id)).promised).toMatchObject({
      jobId: canceled,
      kind: 'retranscribe',
      prompt: 'Ada',
    })
    await idle.captures.cancel(id)
    expect((await copyOf(idle, id)).promised).toBeNull()
    const done = await retranscribe(idle, id)
    expect((await copyOf(idle, id)).promised).toMatchObject({ jobId: done })
    await idle.stop()
    const outcomes = [succeed(said('again')), fail({ code: 'unknown_model', message: 'No such model.' })]
    await using working = await openArchive({ folder, transcribe: async () => outcomes.shift()! })
    await endedJob(working, done)
    expect(await copyOf(working, id)).toMatchObject({ promised: null, capture: { transcriptRaw: 'again' } })
    await endedJob(working, await retranscribe(working, id))
    expect(await copyOf(working, id)).toMatchObject({ promised: null, capture: { transcriptRaw: 'again' } })
  },
)

for (const [what, lose] of [
  ['was not written before a crash', (path: string) => rm(path)],
  ['is older than the capture after a crash', (path: string) => writeFile(path, '{"format":1}')],
] as const)
  test(`writes a copy at the start that ${what}`, async () => {
    await using folder = await createTestFolder()
    const archive = await openArchive({ folder })
    const made = await finishedCapture(archive)
    await archive.stop()
    const database = await folder.open()
    await database.run((orm) => noteUncopied(orm, [made.id]))
    await database.close()
    await lose(join(folder.dataFolder, recordPathOf(made.id)))

    await using again = await openArchive({ folder, working: false })
    expect((await copyOf(again, made.id)).capture).toEqual(made)
    expect((await verifyCaptures(again)).differences).toEqual([])
  })

test('writes a copy again at the start after a user removed it', async () => {
  await using folder = await createTestFolder()
  const archive = await openArchive({ folder })
  const made = await finishedCapture(archive)
  await archive.stop()
  await rm(join(folder.dataFolder, recordPathOf(made.id)))

  await using again = await openArchive({ folder, working: false })
  expect(await again.captures.get(made.id)).toEqual(made)
  expect((await copyOf(again, made.id)).capture).toEqual(made)
})

test('returns the state of the database after a start, whatever a copy contains', async () => {
  await using folder = await createTestFolder()
  const archive = await openArchive({ folder })
  const made = await finishedCapture(archive)
  await archive.stop()
  const edited: Capture = { ...made, title: 'written into the copy', revision: made.revision + 5 }
  await writeRecord(createDataFolderStore(folder.dataFolder), newRecord(edited))

  await using again = await openArchive({ folder, working: false })
  expect(again.recovery.restored).toBe(0)
  expect(await again.captures.get(made.id)).toEqual(made)
  expect((await verifyCaptures(again)).differences).toEqual([
    { id: made.id, what: 'the copy beside its audio differs' },
  ])
})

test('refuses to replace the tombstone of a capture that is deleted while copies are written', async () => {
  await using folder = await createTestFolder()
  const archive = await openArchive({ folder, working: false })
  const made = await Promise.all(Array.from({ length: 10 }, () => capture(archive)))
  const ids = made.map(({ capture: { id } }) => id)
  await Promise.all(
    ids.map(async (id) => {
      await archive.captures.update(id, { title: 'changed, then deleted' })
      return archive.captures.remove(id)
    }),
  )
  await archive.stop()
  for (const id of ids)
    expect(await readRecord(createDataFolderStore(folder.dataFolder), id)).toMatchObject({ state: 'deleted' })
  await using fresh = await withEmptyDatabase(folder)
  await using rebuilt = await openArchive({ folder: fresh, working: false })
  expect((await rebuilt.captures.list({ limit: 10, offset: 0 })).total).toBe(0)
})

test('writes the outdated copies at a stop', async () => {
  await using folder = await createTestFolder()
  const archive = await openArchive({ folder })
  const { id } = await finishedCapture(archive)
  const changed = await archive.captures.update(id, { title: 'just before the stop' })
  await archive.stop()
  expect((await recordOf(folder.dataFolder, id)).capture).toEqual(changed!)
})
