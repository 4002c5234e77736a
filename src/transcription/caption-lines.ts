// Breaks a cue into lines. Players break only at spaces, so text without spaces would run off the screen.

import { UNSPACED_SCRIPTS } from '../text/unspaced-scripts.ts'

/** About as many full-width characters fit into a line at subtitle size. */
const WIDEST = 30

const UNSPACED = new RegExp(`[${UNSPACED_SCRIPTS}]`, 'v')
const MARKS = /\p{M}/gu
/** Splits words of every script; the segmenter has its own dictionaries per language. */
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

const widthOf = (text: string): number => [...text.replace(MARKS, '')].length

const runsOff = (text: string): boolean =>
  text.split(' ').some((run) => UNSPACED.test(run) && widthOf(run) > WIDEST)

/** Breaks text that would run off into lines of similar length, between words. Other text is returned unchanged. */
export function captionLines(text: string): string {
  if (!runsOff(text)) return text
  const even = widthOf(text) / Math.ceil(widthOf(text) / WIDEST)
  const lines: string[] = []
  for (const part of wordsWithSigns(text)) {
    const line = lines.at(-1)
    // A word that crosses the boundary goes to the side that holds more of it.
    const hasRoom = line !== undefined && widthOf(line) + widthOf(part) / 2 <= even
    if (hasRoom && widthOf(line + part.trimEnd()) <= WIDEST) lines[lines.length - 1] = line + part
    else lines.push(part)
  }
  return lines.map((line) => line.trim()).join('\n')
}

const OPENS = /[\p{Ps}\p{Pi}]$/u

/** Words with their punctuation: no line begins with a full stop or ends with an opening bracket. */
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
