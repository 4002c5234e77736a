// Restores an earlier version of a capture's transcript.

import { listVersions } from '../../db/capture-versions.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import type { Capture, CaptureVersion } from './capture.ts'
import { type Archive, type CaptureChange, changeCapture, currentState } from './change-capture.ts'
import { captureNotFound } from './not-found.ts'
import { countWords } from './words.ts'

export type RestoreVersionFailure = {
  code: 'capture_not_found' | 'version_not_found' | 'capture_busy'
  message: string
  /** the conflicting job */
  conflictingId?: string
}

/** The replaced transcript becomes a version, so that nothing is lost. */
export async function restoreVersion(
  archive: Archive,
  id: string,
  number: number,
): Promise<Result<Capture, RestoreVersionFailure>> {
  return archive.lock(id, async () => {
    const current = await currentState(archive, id)
    if (current === null) return fail(captureNotFound(id))
    const { capture, job } = current
    if (job !== null)
      return fail({
        code: 'capture_busy',
        message: `Job ${job.id} works on this capture and may replace its text. Wait for it or cancel it.`,
        conflictingId: job.id,
      })
    const versions = await archive.database.run((orm) => listVersions(orm, id))
    const version = versions.find((one) => one.number === number)
    if (version === undefined)
      return fail({
        code: 'version_not_found',
        message: `Capture ${id} has no version ${number}; GET /captures/${id}/versions lists those that are stored.`,
      })
    const restored = await changeCapture(archive, {
      current,
      change: stateOfVersion(capture, version),
      replacement: { at: archive.clock(), by: 'person' },
    })
    return succeed(restored)
  })
}

/** A version does not store how its text was refined: it takes the value of the present text, or "rules". */
function stateOfVersion({ refinementStatus }: Capture, version: CaptureVersion): CaptureChange {
  const { sttModel, language, detectedLanguage, segments } = version
  const { transcriptRaw, transcriptEngine, transcriptRefined } = version
  const isRefined = transcriptRefined !== null
  return {
    sttModel,
    language,
    detectedLanguage,
    segments,
    transcriptRaw,
    transcriptEngine,
    transcriptRefined,
    wordCount: countWords(transcriptRefined ?? transcriptRaw),
    refinementStatus: isRefined && refinementStatus === 'none' ? 'rules' : refinementStatus,
    ...(isRefined ? {} : { refinementStatus: 'none', refinementFlags: null, llmModel: null }),
  }
}
