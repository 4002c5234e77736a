// Converts segments and their words to the requested Chinese script.

import type { Segment } from '../engine/engine.ts'
import { type ScriptWriter, writePieces } from '../text/chinese-script.ts'
import { joinTexts } from './join-text.ts'
import type { Transcript } from './transcript.ts'

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
