// The lines of one cue: players break a line at spaces, so what is written without any would run off the screen.
// What a cue is, and its file, is formats.ts.

import { UNSPACED_SCRIPTS } from '../text/unspaced-scripts.ts'

/** Of letters as wide as they are high, in the size that subtitles have, about as many have room beside each other. */
const WIDEST = 30

const UNSPACED = new RegExp(`[${UNSPACED_SCRIPTS}]`, 'v')
const MARKS = /\p{M}/gu
/** Words of every script; what a language has of its own is in the segmenter's dictionaries. */
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

const widthOf = (text: string): number => [...text.replace(MARKS, '')].length

const runsOff = (text: string): boolean =>
  text.split(' ').some((run) => UNSPACED.test(run) && widthOf(run) > WIDEST)

/** Lines of about the same length, broken between words, where otherwise one would run off; else the text as it is. */
export function captionLines(text: string): string {
  if (!runsOff(text)) return text
  const even = widthOf(text) / Math.ceil(widthOf(text) / WIDEST)
  const lines: string[] = []
  for (const part of wordsWithSigns(text)) {
    const line = lines.at(-1)
    // A word that crosses the end stands on the side on which it has more of itself.
    const hasRoom = line !== undefined && widthOf(line) + widthOf(part) / 2 <= even
    if (hasRoom && widthOf(line + part.trimEnd()) <= WIDEST) lines[lines.length - 1] = line + part
    else lines.push(part)
  }
  return lines.map((line) => line.trim()).join('\n')
}

const OPENS = /[\p{Ps}\p{Pi}]$/u

/** Words, each with the signs that belong to it: no line begins with a full stop or ends with an opening bracket. */
function wordsWithSigns(text: string): string[] {
  const parts: string[] = []
  for (const { segment, isWordLike } of segmenter.segment(text)) {
    const last = parts.at(-1)
    const opens = OPENS.test(segment)
    if (last === undefined || ((isWordLike || opens) && !OPENS.test(last))) parts.push(segment)
    else parts[parts.length - 1] = last + segment
  }
  return parts
}
