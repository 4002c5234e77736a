// Earlier states of a capture's transcript: when one is added, and which are removed when there are too many.

import {
  deleteVersions,
  insertVersions,
  listVersionNotes,
  type VersionNote,
} from '../../db/capture-versions.ts'
import type { Orm } from '../../db/database.ts'
import type { CaptureVersionRow } from '../../db/schema.ts'
import type { Capture, CaptureVersion } from './capture.ts'

const MOST_VERSIONS = 50
const MOST_BYTES = 8 * 1024 ** 2

/** When a transcript is replaced, and by which side. */
export type Replacement = { at: Date; by: 'person' | 'server' }

/** Stores the transcript that is about to be replaced, if there is one; in the transaction that replaces it. */
export async function storeEarlierState(tx: Orm, capture: Capture, { at, by }: Replacement): Promise<void> {
  if (capture.status !== 'completed') return
  const notes = await listVersionNotes(tx, capture.id)
  const latest = notes.at(-1)
  const { sttModel, language, detectedLanguage, transcriptRaw, transcriptEngine, transcriptRefined } = capture
  const earlier = versionRow(capture.id, {
    number: (latest?.number ?? 0) + 1,
    sttModel,
    language,
    detectedLanguage,
    transcriptRaw,
    transcriptEngine,
    transcriptRefined,
    segments: capture.segments,
    createdAt: at,
    byHand: latest?.replacedByHand === true,
    replacedByHand: by === 'person',
  })
  await insertVersions(tx, [earlier])
  await deleteVersions(tx, capture.id, superfluous([...notes, earlier]))
}

export const versionRow = (captureId: string, version: CaptureVersion): CaptureVersionRow => ({
  ...version,
  captureId,
  byHand: version.byHand ?? false,
  replacedByHand: version.replacedByHand ?? false,
  bytes: bytesOf(version),
})

/**
 * The first version, which the engine wrote, and the latest one always stay. Of the others the oldest are removed
 * first, and those that the user wrote only when no others are left.
 */
function superfluous(versions: VersionNote[]): number[] {
  const inner = versions.slice(1, -1)
  const removable = [...inner.filter(({ byHand }) => !byHand), ...inner.filter(({ byHand }) => byHand)]
  const removed: number[] = []
  let bytes = versions.reduce((sum, version) => sum + version.bytes, 0)
  for (const version of removable) {
    if (versions.length - removed.length <= MOST_VERSIONS && bytes <= MOST_BYTES) break
    removed.push(version.number)
    bytes -= version.bytes
  }
  return removed
}

/** JSON size of a segment and of a word with its times, without their text. */
const SEGMENT_BYTES = 120
const WORD_BYTES = 80

/** An estimate, without serialising it. */
const bytesOf = ({ segments, ...version }: CaptureVersion): number =>
  version.transcriptRaw.length +
  version.transcriptEngine.length +
  (version.transcriptRefined?.length ?? 0) +
  segments.reduce((sum, { text, words }) => sum + SEGMENT_BYTES + text.length + words.length * WORD_BYTES, 0)
