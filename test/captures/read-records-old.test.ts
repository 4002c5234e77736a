// The first start on a data folder of the version before, whose records were authoritative: the database is filled from
// them. With real files and databases; such a folder is derived from a current one.

import { expect, test } from 'bun:test'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type SQL, sql } from 'drizzle-orm'
import { recordPathOf, segmentsPathOf } from '../../src/captures/capture-files.ts'
import { verifyCaptures } from '../../src/captures/copies.ts'
import type { CaptureRecord } from '../../src/captures/record.ts'
import { checkFolder, WrongFolderError } from '../../src/captures/recovery.ts'
import { succeed } from '../../src/lib/result.ts'
import {
  capture,
  copyOf,
  endedJob,
  finishedCapture,
  openArchive,
  recordOf,
  said,
  type TestArchive,
} from '../support/archive.ts'
import { testAtLength } from '../support/at-length.ts'
import { createTestFolder, type TestFolder } from '../support/database.ts'

const REQUEST = { model: null, language: null, prompt: null, keepRefined: false }
const SEGMENTS = Array.from({ length: 500 }, (_, index) => ({
  startMs: index * 1000,
  endMs: index * 1000 + 900,
  text: `word ${index}`,
  avgLogprob: -0.2,
  noSpeechProb: 0.01,
  words: [{ word: 'word', startMs: index * 1000, endMs: index * 1000 + 500, probability: 0.9 }],
}))

/** A database of the version before, as the migration leaves it. */
async function asMigrated(folder: TestFolder, ...more: SQL[]): Promise<void> {
  const database = await folder.open()
  const migrated = [
    sql`delete from capture_segments`,
    sql`delete from capture_versions`,
    sql`update captures set copied_revision = null, shelved = null`,
  ]
  for (const statement of [...migrated, ...more]) await database.run((orm) => orm.execute(statement))
  await database.close()
}

type Slot = 0 | 1

/** As the version before wrote a long capture: the segments and versions in a file that the record names. */
async function splitRecord(dataFolder: string, { capture, versions, ...record }: CaptureRecord, slot: Slot) {
  const { id, revision } = capture
  const { segments, ...short } = capture
  const parts = JSON.stringify({ format: 1, id, revision, segments, versions })
  await writeFile(join(dataFolder, segmentsPathOf(id, slot)), parts)
  const apart = { slot, revision }
  const text = JSON.stringify({ format: 1, lastJobId: null, ...record, capture: short, apart })
  await writeFile(join(dataFolder, recordPathOf(id)), text)
}

const longWords = async () => succeed(said('many words', { segments: SEGMENTS }))

async function rewordTwice({ captures }: TestArchive, id: string): Promise<void> {
  await captures.update(id, { transcriptRefined: 'By hand.' })
  await captures.update(id, { transcriptRefined: 'By hand, again.' })
}

for (const how of ['whole', 'split'] as const)
  testAtLength(`reads a ${how} record at the first start, with its segments and versions`, async () => {
    await using folder = await createTestFolder()
    const first = await openArchive({ folder, transcribe: longWords })
    const { id } = await finishedCapture(first)
    await rewordTwice(first, id)
    const [before, versions] = [await first.captures.get(id), await first.captures.versions(id)]
    await first.stop()
    await asMigrated(folder)
    const record = await recordOf(folder.dataFolder, id)
    if (how === 'split') await splitRecord(folder.dataFolder, record, 1)

    const second = await openArchive({ folder, working: false })
    expect(second.recovery.restored).toBe(1)
    expect(await second.captures.get(id)).toEqual(before!)
    expect(await second.captures.versions(id)).toEqual(versions!)
    const copy = await copyOf(second, id)
    expect([copy.capture, copy.versions]).toEqual([record.capture, record.versions])
    expect(copy.isSplit).toBe(false)
    expect((await verifyCaptures(second)).differences).toEqual([])
    await second.stop()
    await using third = await openArchive({ folder, working: false })
    expect(third.recovery.restored).toBe(0)
  })

testAtLength('prefers the record and its waiting job over the row at the first start', async () => {
  await using folder = await createTestFolder()
  const first = await openArchive({ folder })
  const { id } = await finishedCapture(first)
  await first.stop()
  const idle = await openArchive({ folder, working: false })
  const queued = await idle.captures.retranscribe(id, { ...REQUEST, prompt: 'Zürich' })
  if (!queued.ok) throw new Error(queued.failure.message)
  const { jobId } = queued.value
  await idle.captures.update(id, { title: 'written, then the power failed' })
  await idle.stop()
  await asMigrated(
    folder,
    sql`update captures set title = null, revision = revision - 1 where id = ${id}`,
    sql`delete from jobs where id = ${jobId}`,
  )

  const prompts: unknown[] = []
  await using again = await openArchive({
    folder,
    async transcribe({ prompt }) {
      prompts.push(prompt)
      return succeed(said('after'))
    },
  })
  expect(await endedJob(again, jobId)).toMatchObject({ kind: 'retranscribe', state: 'completed' })
  expect(prompts).toEqual(['Zürich'])
  expect(await again.captures.get(id)).toMatchObject({
    title: 'written, then the power failed',
    transcriptRaw: 'after',
  })
})

test('ends a job at the first start that has ended in the record', async () => {
  await using folder = await createTestFolder()
  const idle = await openArchive({ folder, working: false })
  const made = await capture(idle)
  const { id } = made.capture
  await idle.stop()
  await asMigrated(folder)
  const record = await recordOf(folder.dataFolder, id)
  const finished = { ...record.capture, revision: 2, status: 'completed', transcriptRaw: 'written once' }
  const text = JSON.stringify({ ...record, capture: finished, promised: null, lastJobId: made.jobId })
  await writeFile(join(folder.dataFolder, recordPathOf(id)), `{"format":1,${text.slice(1)}`)

  const transcribed: unknown[] = []
  await using again = await openArchive({
    folder,
    async transcribe() {
      transcribed.push(id)
      return succeed(said('twice'))
    },
  })
  expect(await again.jobs.get(made.jobId)).toMatchObject({ state: 'completed' })
  expect(await again.captures.get(id)).toMatchObject({ transcriptRaw: 'written once', revision: 2 })
  expect(transcribed).toEqual([])
})

test('reads the remaining records at the next start', async () => {
  await using folder = await createTestFolder()
  const first = await openArchive({ folder })
  const [one, other] = [await finishedCapture(first), await finishedCapture(first, { title: 'the other' })]
  await first.stop()
  await asMigrated(
    folder,
    sql`with read as (update captures set copied_revision = revision where id = ${one.id} returning id)
      insert into capture_segments select id, '[]' from read`,
  )
  await using again = await openArchive({ folder, working: false })
  expect(again.recovery.restored).toBe(1)
  expect(await again.captures.get(other.id)).toEqual(other)
})

test('starts despite a record that the disk cannot read, and never overwrites it unread', async () => {
  await using folder = await createTestFolder()
  const first = await openArchive({ folder, transcribe: longWords })
  const [long, short] = [await finishedCapture(first), await finishedCapture(first)]
  await first.stop()
  await asMigrated(folder)
  const record = await recordOf(folder.dataFolder, long.id)
  await splitRecord(folder.dataFolder, record, 0)
  // Reading a folder fails as a broken disk does, for root as well.
  const segments = join(folder.dataFolder, segmentsPathOf(long.id, 0))
  await rm(segments)
  await mkdir(segments)

  const second = await openArchive({ folder, working: false })
  expect((await second.captures.list({ limit: 10, offset: 0 })).total).toBe(2)
  expect(await second.captures.get(short.id)).toEqual(short)
  // The next start would undo a change, and the copy of one would replace the record.
  await expect(second.captures.update(long.id, { title: 'a title' })).rejects.toThrow('could not be read')
  await expect(second.captures.retranscribe(long.id, REQUEST)).rejects.toThrow('could not be read')
  await copyOf(second, short.id)
  await second.stop()
  await rm(segments, { recursive: true })
  await splitRecord(folder.dataFolder, record, 0)

  await using third = await openArchive({ folder, working: false })
  expect(third.recovery.restored).toBe(1)
  expect(await third.captures.get(long.id)).toEqual(long)
})

test('refuses to fill a database of the version before from a folder without its records', async () => {
  await using folder = await createTestFolder()
  const first = await openArchive({ folder })
  await finishedCapture(first)
  await first.stop()
  await asMigrated(folder)
  const database = await folder.open()
  const check = (dataFolder: string) => checkFolder({ database, dataFolder })
  await check(folder.dataFolder)
  await expect(check(join(folder.dataFolder, 'another'))).rejects.toThrow(WrongFolderError)
  await database.close()
})
