// Earlier states of a capture's transcript: when one is added, and which are removed when they become too many.
// How one is brought back is restore-version.ts's.

import type { Capture, CaptureVersion } from './capture.ts'

const MOST_VERSIONS = 50
/** In memory and on the disk: every change of the capture reads them. */
const MOST_BYTES = 8 * 1024 ** 2

type Replacement = { at: Date; by: 'person' | 'server' }

/** What is replaced is kept, unless there was no transcript before. */
export function withEarlierState(
  { capture, versions }: { capture: Capture; versions: CaptureVersion[] },
  { at, by }: Replacement,
): CaptureVersion[] {
  if (capture.status !== 'completed') return versions
  const { sttModel, language, detectedLanguage, transcriptRaw, transcriptEngine, transcriptRefined } = capture
  const latest = versions.at(-1)
  const earlier: CaptureVersion = {
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
  }
  return bounded([...versions, earlier])
}

/**
 * The first version, which the server heard, and the latest one always stay. Of the others the oldest go first, and those
 * that a person wrote only when no others are left.
 */
function bounded(versions: CaptureVersion[]): CaptureVersion[] {
  const inner = versions.slice(1, -1)
  const removable = [...inner.filter(({ byHand }) => !byHand), ...inner.filter(({ byHand }) => byHand)]
  const removed = new Set<CaptureVersion>()
  let bytes = versions.reduce((sum, version) => sum + bytesOf(version), 0)
  for (const version of removable) {
    if (versions.length - removed.size <= MOST_VERSIONS && bytes <= MOST_BYTES) break
    removed.add(version)
    bytes -= bytesOf(version)
  }
  return versions.filter((version) => !removed.has(version))
}

/** Of a segment and of a word with its times in JSON, without their text. */
const SEGMENT_BYTES = 120
const WORD_BYTES = 80

/** Roughly, without writing it out. */
const bytesOf = (version: CaptureVersion): number =>
  charactersOf(version) +
  version.segments.reduce(
    (sum, { text, words }) => sum + SEGMENT_BYTES + text.length + words.length * WORD_BYTES,
    0,
  )

/** Of its texts. */
export const charactersOf = (version: CaptureVersion): number =>
  version.transcriptRaw.length + version.transcriptEngine.length + (version.transcriptRefined?.length ?? 0)
