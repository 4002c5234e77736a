// An earlier version of a capture's transcript brought back. What it replaces becomes a version in its turn, so that
// nothing is lost by it. What makes versions besides is transcription-outcome.ts's, correct-segment.ts's and captures.ts's.

import { fail, type Result, succeed } from '../lib/result.ts'
import type { Capture, CaptureVersion } from './capture.ts'
import { type Archive, type CaptureChange, changeCapture, currentState } from './change-capture.ts'
import { captureNotFound } from './not-found.ts'
import { withEarlierState } from './versions.ts'
import { countWords } from './words.ts'

export type RestoreVersionFailure = {
  code: 'capture_not_found' | 'version_not_found' | 'capture_busy'
  message: string
  /** the job that stands in the way */
  conflictingId?: string
}

export async function restoreVersion(
  archive: Archive,
  id: string,
  number: number,
): Promise<Result<Capture, RestoreVersionFailure>> {
  return archive.lock(id, async () => {
    const current = await currentState(archive, id)
    if (current === null) return fail(captureNotFound(id))
    const { capture, versions, job } = current
    if (job !== null)
      return fail({
        code: 'capture_busy',
        message: `Job ${job.id} works on this capture and may replace its text. Wait for it or cancel it.`,
        conflictingId: job.id,
      })
    const version = versions.find((one) => one.number === number)
    if (version === undefined)
      return fail({
        code: 'version_not_found',
        message: `Capture ${id} has no version ${number}; GET /captures/${id}/versions lists those that are stored.`,
      })
    const restored = await changeCapture(archive, {
      current,
      change: stateOfVersion(capture, version),
      versions: withEarlierState(current, { at: archive.clock(), by: 'person' }),
    })
    return succeed(restored)
  })
}

/** How its text was refined no version keeps: it is as the present one was, or by rules. */
function stateOfVersion({ refinementStatus }: Capture, version: CaptureVersion): CaptureChange {
  const { number: _number, createdAt: _at, byHand: _by, replacedByHand: _replaced, ...texts } = version
  const { transcriptRaw, transcriptRefined } = texts
  const isRefined = transcriptRefined !== null
  return {
    ...texts,
    wordCount: countWords(transcriptRefined ?? transcriptRaw),
    refinementStatus: isRefined && refinementStatus === 'none' ? 'rules' : refinementStatus,
    ...(isRefined ? {} : { refinementStatus: 'none', refinementFlags: null, llmModel: null }),
  }
}
