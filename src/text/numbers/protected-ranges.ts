// Finds what is written for machines inside a text: code, addresses, identifiers; and what is quoted.
// Changes nothing; whoever rewrites a text leaves these ranges as they are.

import type { TextRange } from '../text-range.ts'

const CODE = /```[^`]*```|`[^`\n]+`/g
const QUOTED = /"[^"\n]{1,400}"|“[^”\n]{1,400}”|«[^»\n]{1,400}»|„[^“”"\n]{1,400}[“”"]/g
/** Chinese and Japanese put no space around what is written in Latin letters. */
const SPACED_CHUNK = /\S+/g
const ASCII_CHUNK = /[!-~]+/g
/** 21st and 21e are ordinals, 5kg and x2 are left to those who wrote them. */
const FOR_MACHINES =
  /[@_\\=<>{}[\]#$~^|&]|\/|::|--|^-\p{L}|\p{L}[.:]\p{L}|\p{Ll}\p{Lu}|\p{L}['’]?\d|\d(?!(?:st|nd|rd|th|er|e)(?![\p{L}\p{N}]))\p{L}|\(\)/u

/**
 * Code in backticks, addresses, paths and identifiers, with `quotes` also what stands in quotation marks.
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
