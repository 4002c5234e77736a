// The segments of long captures, which have a file beside the record: when it is written, read, and erased.
// With real files and databases; the recogniser is a hand-written function.

import { expect, test } from 'bun:test'
import { existsSync, statSync } from 'node:fs'
import { copyFile, cp, mkdir, open, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { recordPathOf, segmentsPathOf, unreadableSegmentsPathOf } from '../../src/captures/capture-files.ts'
import { type CaptureRecord, isKept, readRecord, writeRecord } from '../../src/captures/record.ts'
import { verifyCaptures } from '../../src/captures/verify-captures.ts'
import { succeed } from '../../src/lib/result.ts'
import { endedJob, finishedCapture, openArchive, said } from '../support/archive.ts'
import { createTestFolder } from '../support/database.ts'
import { leftovers } from '../support/leftovers.ts'

const segmentsOf = (count: number, word = 'word') =>
  Array.from({ length: count }, (_, index) => ({
    startMs: index * 1000,
    endMs: index * 1000 + 900,
    text: `${word} ${index}`,
    avgLogprob: -0.2,
    noSpeechProb: 0.01,
    words: [{ word, startMs: index * 1000, endMs: index * 1000 + 500, probability: 0.9 }],
  }))

const LONG = 500

async function keptRecord(dataFolder: string, id: string): Promise<CaptureRecord> {
  const record = await readRecord(dataFolder, id)
  if (!isKept(record)) throw new Error('no record')
  return record
}

/** A long capture whose archive is closed. */
async function longCapture() {
  const folder = await createTestFolder()
  await using archive = await openArchive({
    folder,
    transcribe: async () => succeed(said('many words', { segments: segmentsOf(LONG) })),
  })
  const { id } = await finishedCapture(archive)
  const { dataFolder } = folder
  const paths = ([0, 1] as const).map((slot) => segmentsPathOf(dataFolder, id, slot))
  const there = () => paths.map((path) => existsSync(path))
  return { folder, dataFolder, id, paths, there, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() }
}

test('a short capture is one record', async () => {
  await using folder = await createTestFolder()
  await using archive = await openArchive({
    folder,
    transcribe: async () => succeed(said('few words', { segments: segmentsOf(20) })),
  })
  const { id } = await finishedCapture(archive)
  const { apart, capture } = await keptRecord(folder.dataFolder, id)
  expect([apart, capture.segments.length]).toEqual([null, 20])
  expect(existsSync(segmentsPathOf(folder.dataFolder, id, 0))).toBe(false)
})

test('a star on a long capture leaves the file of its segments as it is', async () => {
  await using long = await longCapture()
  const before = statSync(long.paths[0]!)
  await using archive = await openArchive({ folder: long.folder })
  await archive.captures.update(long.id, { starred: true })
  await archive.captures.trash(long.id)
  await archive.captures.restore(long.id)
  const after = statSync(long.paths[0]!)
  expect([after.ino, after.mtimeMs]).toEqual([before.ino, before.mtimeMs])
  expect(long.there()).toEqual([true, false])
  expect(statSync(recordPathOf(long.dataFolder, long.id)).size).toBeLessThan(4096)
  const found = await archive.captures.get(long.id)
  expect([found?.starred, found?.segments.length]).toEqual([true, LONG])
})

test('new segments are in the other file, with the versions before them, and the old file is gone', async () => {
  await using long = await longCapture()
  await using archive = await openArchive({
    folder: long.folder,
    transcribe: async () => succeed(said('other words', { segments: segmentsOf(LONG, 'other') })),
  })
  const request = { model: null, language: null, prompt: null, keepRefined: false }
  const queued = await archive.captures.retranscribe(long.id, request)
  if (!queued.ok) throw new Error(queued.failure.message)
  await endedJob(archive, queued.value.jobId)
  expect(long.there()).toEqual([false, true])
  const { capture, versions } = await keptRecord(long.dataFolder, long.id)
  expect(capture.segments[3]?.text).toBe('other 3')
  expect(versions.map(({ segments }) => segments[3]?.text)).toEqual(['word 3'])
})

test('a record of an earlier version, with all its segments in it, is read, and parted at its next change', async () => {
  await using long = await longCapture()
  const { apart: _apart, ...record } = await keptRecord(long.dataFolder, long.id)
  await writeFile(recordPathOf(long.dataFolder, long.id), JSON.stringify({ format: 1, ...record }))
  await rm(long.paths[0]!)
  expect((await keptRecord(long.dataFolder, long.id)).capture.segments).toEqual(record.capture.segments)

  await using archive = await openArchive({ folder: long.folder })
  expect(long.there()).toEqual([false, false])
  await archive.captures.update(long.id, { title: 'Parted' })
  expect(long.there()).toEqual([true, false])
  expect((await archive.captures.get(long.id))?.segments).toEqual(record.capture.segments)
})

test('segments that were written before a crash, and that no record names yet, do not count', async () => {
  await using long = await longCapture()
  const record = await keptRecord(long.dataFolder, long.id)
  await copyFile(long.paths[0]!, long.paths[1]!)
  await writeFile(long.paths[1]!, (await Bun.file(long.paths[1]!).text()).replaceAll('word', 'lost'))
  await using archive = await openArchive({ folder: long.folder })
  expect((await archive.captures.get(long.id))?.segments).toEqual(record.capture.segments)
  await archive.captures.update(long.id, { starred: true })
  expect(long.there()).toEqual([true, false])
})

test('the file that the record on the disk names is never written to, whatever the writer remembers', async () => {
  await using long = await longCapture()
  const record = await keptRecord(long.dataFolder, long.id)
  const named = statSync(long.paths[0]!).ino
  const opened = await open(long.paths[0]!)
  await writeRecord(long.dataFolder, { ...record, apart: null })
  expect(long.there()).toEqual([false, true])
  // erased by its name alone, as it was
  expect([(await opened.stat()).ino, (await opened.readFile('utf8')).includes('word 499')]).toEqual([
    named,
    true,
  ])
  await opened.close()
})

test('whoever reads while a long capture changes sees one revision whole', async () => {
  await using long = await longCapture()
  const change = async () => {
    const record = await keptRecord(long.dataFolder, long.id)
    const revision = record.capture.revision + 1
    const capture = { ...record.capture, revision, segments: segmentsOf(LONG, `revision ${revision}`) }
    await writeRecord(long.dataFolder, { ...record, capture }, record)
  }
  await change()
  let isOver = false
  const torn: string[] = []
  let reads = 0
  const reading = (async () => {
    while (!isOver) {
      const { revision, segments } = (await keptRecord(long.dataFolder, long.id)).capture
      reads++
      if (segments[0]?.text !== `revision ${revision} 0`) torn.push(`${revision}: ${segments[0]?.text}`)
      await new Promise((resolve) => setImmediate(resolve))
    }
  })()
  for (let times = 0; times < 40; times++) await change()
  isOver = true
  await reading
  expect(reads).toBeGreaterThan(20)
  expect(torn).toEqual([])
})

test('a capture whose segments are spoiled keeps its text, and a comparison tells of it', async () => {
  await using long = await longCapture()
  await writeFile(long.paths[0]!, 'spoiled')
  await using archive = await openArchive({ folder: long.folder })
  const found = await archive.captures.get(long.id)
  expect([found?.transcriptRaw, found?.segments]).toEqual(['many words', []])
  const { differences } = await verifyCaptures({ database: archive.database, dataFolder: long.dataFolder })
  expect(differences).toEqual([{ id: long.id, what: 'its segments cannot be read' }])
})

test('what is deleted is erased with its segments, at the next start too', async () => {
  await using long = await longCapture()
  const left = await Bun.file(long.paths[0]!).bytes()
  const archive = await openArchive({ folder: long.folder })
  await archive.captures.remove(long.id)
  expect(long.there()).toEqual([false, false])
  await archive.stop()
  // as after a crash between the tombstone and the erasing of one of them
  await writeFile(long.paths[1]!, left)
  await using again = await openArchive({ folder: long.folder })
  expect(again.recovery.deletionsFinished).toBe(1)
  expect(long.there()).toEqual([false, false])
})

test('a capture whose record is spoiled keeps its segments and versions through a change', async () => {
  await using long = await longCapture()
  const record = await keptRecord(long.dataFolder, long.id)
  await using archive = await openArchive({ folder: long.folder })
  await writeFile(recordPathOf(long.dataFolder, long.id), 'spoiled')
  await archive.captures.update(long.id, { starred: true })
  const found = await keptRecord(long.dataFolder, long.id)
  expect([found.capture.starred, found.apart]).toEqual([true, record.apart])
  expect(found.capture.segments).toEqual(record.capture.segments)
})

test('segments beside a record that cannot be read, and that no index knows, are set aside with it', async () => {
  await using long = await longCapture()
  const bytes = await Bun.file(long.paths[0]!).bytes()
  await writeFile(recordPathOf(long.dataFolder, long.id), 'spoiled')
  await using fresh = await createTestFolder()
  await rm(join(fresh.dataFolder, 'captures'), { recursive: true, force: true })
  await cp(join(long.dataFolder, 'captures'), join(fresh.dataFolder, 'captures'), { recursive: true })
  await using archive = await openArchive({ folder: fresh, working: false })
  expect(archive.recovery.adopted).toBe(1)
  const aside = unreadableSegmentsPathOf(fresh.dataFolder, long.id, 0)
  expect(await Bun.file(aside).bytes()).toEqual(bytes)
  await archive.captures.remove(long.id)
  expect(existsSync(aside)).toBe(false)
})

test('the trash takes a long capture of an earlier version while work on it waits', async () => {
  await using long = await longCapture()
  const { apart: _apart, ...record } = await keptRecord(long.dataFolder, long.id)
  await writeFile(recordPathOf(long.dataFolder, long.id), JSON.stringify({ format: 1, ...record }))
  await rm(long.paths[0]!)
  await using archive = await openArchive({ folder: long.folder, working: false })
  const request = { model: null, language: null, prompt: null, keepRefined: false }
  expect((await archive.captures.retranscribe(long.id, request)).ok).toBe(true)
  await archive.captures.trash(long.id)
  const { capture, apart } = await keptRecord(long.dataFolder, long.id)
  expect(capture.segments).toEqual(record.capture.segments)
  expect(long.there()).toEqual([apart?.slot === 0, apart?.slot === 1])
})

test('a disk that cannot read the segments keeps no capture from being deleted, nor a start from serving', async () => {
  await using long = await longCapture()
  await rm(long.paths[0]!)
  await mkdir(long.paths[0]!)
  const later = new Date(Date.now() + 60_000)
  await utimes(recordPathOf(long.dataFolder, long.id), later, later)
  await using archive = await openArchive({ folder: long.folder })
  expect((await archive.captures.list({ limit: 10, offset: 0 })).total).toBe(1)
  await rm(long.paths[0]!, { recursive: true })
  await writeFile(long.paths[0]!, '')
  expect(await archive.captures.remove(long.id)).toBe(true)
})

test('what a full disk did not let be written leaves no half of it', async () => {
  await using long = await longCapture()
  const record = await keptRecord(long.dataFolder, long.id)
  const path = recordPathOf(long.dataFolder, long.id)
  // the name that the new record would have while it is written
  await mkdir(`${path}.part`)
  const capture = { ...record.capture, revision: 99, segments: segmentsOf(LONG, 'vain') }
  await expect(writeRecord(long.dataFolder, { ...record, capture }, record)).rejects.toThrow()
  expect(long.there()).toEqual([true, false])
  expect((await keptRecord(long.dataFolder, long.id)).capture.segments).toEqual(record.capture.segments)
})

test('segments of what was deleted, or of nothing, are told by a comparison', async () => {
  await using long = await longCapture()
  const left = await Bun.file(long.paths[0]!).bytes()
  await using archive = await openArchive({ folder: long.folder })
  await archive.captures.remove(long.id)
  await writeFile(long.paths[1]!, left)
  const verified = () => verifyCaptures({ database: archive.database, dataFolder: long.dataFolder })
  const deleted = { id: long.id, what: 'it was deleted, and its segments are still there' }
  expect((await verified()).differences).toEqual([deleted])
  expect(await leftovers(long.dataFolder)).toHaveLength(1)
  await rm(recordPathOf(long.dataFolder, long.id))
  expect((await verified()).differences).toEqual([{ id: long.id, what: 'its segments have no record' }])
})
