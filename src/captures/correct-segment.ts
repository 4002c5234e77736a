// Corrects one segment: its text, its word times, and the texts built from segments. The engine's own text never
// changes; the replaced state is stored as a version.

import type { Segment } from '../engine/engine.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { joinTexts } from '../transcription/join-text.ts'
import type { Capture } from './capture.ts'
import { type Archive, changeCapture, currentState } from './change-capture.ts'
import { changedMeanwhile, type IsExpected } from './changed-meanwhile.ts'
import { carriedOver } from './correct-segment-refined.ts'
import { withCorrectedText } from './correct-segment-words.ts'
import { captureNotFound } from './not-found.ts'
import { countWords } from './words.ts'

export type SegmentCorrection = {
  /** counts from 0 */
  number: number
  /** empty if nothing was said there */
  text: string
  /** whether the capture is unchanged since the client read it */
  isExpected?: IsExpected
}

/** `refinedIsOlder`: the refined text does not contain the correction and should be refined again. */
export type Corrected = { capture: Capture; refinedIsOlder: boolean }

export type CorrectionFailure = {
  code: 'capture_not_found' | 'segment_not_found' | 'capture_busy' | 'precondition_failed'
  message: string
  /** the conflicting job */
  conflictingId?: string
}

/** A correction that equals the current text changes nothing. */
export async function correctSegment(
  archive: Archive,
  id: string,
  { number, text, isExpected = () => true }: SegmentCorrection,
): Promise<Result<Corrected, CorrectionFailure>> {
  return archive.lock(id, async () => {
    const current = await currentState(archive, id)
    if (current === null) return fail(captureNotFound(id))
    const { capture, job } = current
    if (!isExpected(capture)) return fail(changedMeanwhile(id))
    if (job !== null)
      return fail({
        code: 'capture_busy',
        message: `Job ${job.id} works on this capture and may replace its text. Wait for it or cancel it.`,
        conflictingId: job.id,
      })
    const segment = capture.segments[number]
    if (segment === undefined) return fail(noSuchSegment(capture, number))
    const typed = text.trim()
    if (typed === segment.text.trim()) return succeed({ capture, refinedIsOlder: false })
    const segments = capture.segments.with(number, await withCorrectedText(segment, typed))
    const { change, refinedIsOlder } = await textsAfter(capture, segments, number)
    const corrected = await changeCapture(archive, {
      current,
      change: { segments, ...change },
      replacement: { at: archive.clock(), by: 'person' },
    })
    return succeed({ capture: corrected, refinedIsOlder })
  })
}

function noSuchSegment({ id, segments }: Capture, number: number): CorrectionFailure {
  const there = segments.length === 0 ? 'has no segments' : `has segments 0 to ${segments.length - 1}`
  return { code: 'segment_not_found', message: `Capture ${id} ${there}; there is no segment ${number}.` }
}

async function textsAfter(capture: Capture, segments: Segment[], number: number) {
  const { transcriptRaw: heard, transcriptRefined: refined } = capture
  const transcriptRaw = rawAfter(capture, segments, number)
  const carried = refined === null ? null : await carriedOver(heard, transcriptRaw, refined)
  const transcriptRefined = carried ?? refined
  const wordCount = countWords(transcriptRefined ?? transcriptRaw)
  return {
    change: { transcriptRaw, transcriptRefined, wordCount },
    refinedIsOlder: refined !== null && carried === null,
  }
}

/** The whole text with this segment's part replaced; rebuilt from all segments if that part is not found. */
function rawAfter({ transcriptRaw, segments: before }: Capture, after: Segment[], number: number): string {
  let at = 0
  for (const [index, { text }] of before.entries()) {
    const part = text.trim()
    const from = transcriptRaw.indexOf(part, at)
    if (from < 0) break
    at = from + part.length
    if (index < number) continue
    const by = after[number]!.text
    const [head, tail] = [transcriptRaw.slice(0, from), transcriptRaw.slice(at)]
    if (by === '' || part === '') break
    return head + by + tail
  }
  return joinTexts(after.map(({ text }) => text))
}
