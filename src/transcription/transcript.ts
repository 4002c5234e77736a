// The transcript of a whole recording: joining the texts of its parts, and the script of Chinese.

import type { Segment } from '../engine/engine.ts'
import type { Warning } from '../lib/warning.ts'
import { type ScriptWriter, writePieces } from '../text/chinese-script.ts'

/** Times count from the start of the recording. */
export type Transcript = {
  text: string
  /** ordered, not overlapping */
  segments: Segment[]
  /** ISO 639-1; null if there was no speech */
  language: string | null
  languageProbability: number | null
  /** catalogue name of the model that was used, or its name on another computer; several if the engine changed */
  model: string
  durationMs: number
  /** parts that were not transcribed, and requested options that could not be honoured */
  warnings: Warning[]
  processingMs: { decode: number; transcribe: number }
}

/** Scripts that put no space between sentences, and their punctuation. */
const NO_SPACE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u3000-\u303f\uff00-\uff65]/u

/** The separator between two non-empty texts. */
export const between = (before: string, after: string): '' | ' ' =>
  NO_SPACE.test(before.at(-1)!) && NO_SPACE.test(after[0]!) ? '' : ' '

export function joinTexts(texts: string[]): string {
  return texts
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .reduce((joined, text) => (joined === '' ? text : joined + between(joined, text) + text), '')
}

export function segmentInScript(segment: Segment, write: ScriptWriter): Segment {
  const words = writePieces(
    segment.words.map(({ word }) => word),
    write,
  )
  return {
    ...segment,
    text: write(segment.text),
    words: segment.words.map((word, index) => ({ ...word, word: words[index]! })),
  }
}

export function transcriptInScript(transcript: Transcript, write: ScriptWriter): Transcript {
  const segments = transcript.segments.map((segment) => segmentInScript(segment, write))
  return { ...transcript, segments, text: joinTexts(segments.map(({ text }) => text)) }
}
