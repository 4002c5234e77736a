// Finds code, addresses, identifiers and quotations in a text, which conversions must not change.

import type { TextRange } from '../text-range.ts'

const CODE = /```[^`]*```|`[^`\n]+`/g
const QUOTED = /"[^"\n]{1,400}"|“[^”\n]{1,400}”|«[^»\n]{1,400}»|„[^“”"\n]{1,400}[“”"]/g
/** Chinese and Japanese have no spaces around Latin words, hence ASCII_CHUNK. */
const SPACED_CHUNK = /\S+/g
const ASCII_CHUNK = /[!-~]+/g
/** 21st and 21e are ordinals and not protected; 5kg and x2 are. */
const FOR_MACHINES =
  /[@_\\=<>{}[\]#$~^|&]|\/|::|--|^-\p{L}|\p{L}[.:]\p{L}|\p{Ll}\p{Lu}|\p{L}['’]?\d|\d(?!(?:st|nd|rd|th|er|e)(?![\p{L}\p{N}]))\p{L}|\(\)/u

/**
 * Code in backticks, addresses, paths and identifiers; with `quotes` also text in quotation marks.
 * Ordered; ranges do not overlap.
 */
export function protectedRanges(text: string, options: { quotes: boolean; spaced: boolean }): TextRange[] {
  const found: TextRange[] = []
  const collect = (pattern: RegExp, counts = (_match: string) => true) => {
    for (const match of text.matchAll(pattern))
      if (counts(match[0])) found.push({ from: match.index, to: match.index + match[0].length })
  }
  collect(CODE)
  if (options.quotes) collect(QUOTED)
  collect(options.spaced ? SPACED_CHUNK : ASCII_CHUNK, (chunk) => FOR_MACHINES.test(chunk))
  found.sort((a, b) => a.from - b.from)
  return merged(found)
}

function merged(sorted: TextRange[]): TextRange[] {
  const result: TextRange[] = []
  for (const one of sorted) {
    const last = result.at(-1)
    if (last && one.from <= last.to) last.to = Math.max(last.to, one.to)
    else result.push({ ...one })
  }
  return result
}
