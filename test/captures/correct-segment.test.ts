// Corrections by the user, with real files, database and queue; the recogniser is a hand-written function.

import { expect, test } from 'bun:test'
import type { Segment } from '../../src/engine/engine.ts'
import { succeed } from '../../src/lib/result.ts'
import { newId } from '../../src/lib/uuid.ts'
import { capture, finishedCapture, openArchive, said, type TestArchive } from '../support/archive.ts'

const segmentOf = (text: string, startMs: number): Segment => ({
  ...{ startMs, endMs: startMs + 1000, text, avgLogprob: -0.2, noSpeechProb: 0.01 },
  words: text.split(' ').map((word, index) => ({
    ...{ word, startMs: startMs + index * 100, endMs: startMs + index * 100 + 90, probability: 0.9 },
  })),
})
const transcript = said('Meet me on munday. Thank you. Bring the pen.', {
  segments: [
    segmentOf('Meet me on munday.', 0),
    segmentOf('Thank you.', 1000),
    segmentOf('Bring the pen.', 2000),
  ],
})
const open = () => openArchive({ transcribe: async () => succeed(transcript) })
const correct = async ({ captures }: TestArchive, id: string, number: number, text: string) => {
  const corrected = await captures.correctSegment(id, { number, text })
  if (!corrected.ok) throw new Error(corrected.failure.message)
  return corrected.value
}

test('corrects the segment and the whole text, and stores the earlier state and the engine’s own text', async () => {
  await using archive = await open()
  const made = await finishedCapture(archive)
  await archive.captures.update(made.id, { transcriptRefined: null })
  const { capture: corrected } = await correct(archive, made.id, 0, ' Meet me on Monday. ')
  expect(corrected).toMatchObject({
    transcriptRaw: 'Meet me on Monday. Thank you. Bring the pen.',
    transcriptEngine: made.transcriptEngine,
    transcriptRefined: null,
    wordCount: 9,
    status: 'completed',
  })
  expect(corrected.segments[0]).toMatchObject({ text: 'Meet me on Monday.', startMs: 0, endMs: 1000 })
  expect(corrected.segments[0]!.words[3]).toEqual({
    ...{ word: 'Monday.', startMs: 300, endMs: 390, probability: null },
  })
  expect(corrected.segments.slice(1)).toEqual(made.segments.slice(1))
  expect(await archive.captures.versions(made.id)).toMatchObject([
    { number: 1, transcriptRaw: transcript.text, segments: [{ text: 'Meet me on munday.' }, {}, {}] },
  ])
  expect(await archive.captures.get(made.id)).toEqual(corrected)
  const found = await archive.captures.list({ q: 'Monday', limit: 1, offset: 0 })
  expect(found.total).toBe(1)
})

test('empties a hallucinated segment without renumbering its neighbours', async () => {
  await using archive = await open()
  const made = await finishedCapture(archive)
  const { capture: emptied } = await correct(archive, made.id, 1, '')
  expect(emptied.transcriptRaw).toBe('Meet me on munday. Bring the pen.')
  expect(emptied.segments.map(({ text }) => text)).toEqual(['Meet me on munday.', '', 'Bring the pen.'])
  const { capture: later } = await correct(archive, made.id, 2, 'Bring a pen.')
  expect(later.transcriptRaw).toBe('Meet me on munday. Bring a pen.')
  const { capture: filled } = await correct(archive, made.id, 1, 'Thanks.')
  expect(filled.transcriptRaw).toBe('Meet me on munday. Thanks. Bring a pen.')
})

test('corrects the refined text if it contains the words, otherwise marks it as older', async () => {
  await using archive = await open()
  const made = await finishedCapture(archive)
  const refine = (transcriptRefined: string) => archive.captures.update(made.id, { transcriptRefined })
  await refine('Meet me on munday.\n\nBring the pen!')
  expect(await correct(archive, made.id, 0, 'Meet me on Monday.')).toMatchObject({
    refinedIsOlder: false,
    capture: { transcriptRefined: 'Meet me on Monday.\n\nBring the pen!', wordCount: 7 },
  })
  expect(await correct(archive, made.id, 1, 'Thanks a lot.')).toMatchObject({
    refinedIsOlder: true,
    capture: { transcriptRefined: 'Meet me on Monday.\n\nBring the pen!' },
  })
})

test('ignores a correction that changes nothing', async () => {
  await using archive = await open()
  const made = await finishedCapture(archive)
  const { capture: same } = await correct(archive, made.id, 1, 'Thank you.')
  expect(same).toEqual(made)
  expect(await archive.captures.versions(made.id)).toEqual([])
})

test('refuses a missing capture or segment', async () => {
  await using archive = await open()
  const made = await finishedCapture(archive)
  const code = async (id: string, number: number) =>
    archive.captures.correctSegment(id, { number, text: 'x' })
  expect(await code(made.id, 3)).toMatchObject({ failure: { code: 'segment_not_found' } })
  expect(await code(newId(new Date()), 0)).toMatchObject({ failure: { code: 'capture_not_found' } })
})

test('refuses a correction while a job works on the capture', async () => {
  await using archive = await openArchive({ working: false })
  const { capture: made, jobId } = await capture(archive)
  expect(await archive.captures.correctSegment(made.id, { number: 0, text: 'x' })).toMatchObject({
    failure: { code: 'capture_busy', conflictingId: jobId },
  })
})
