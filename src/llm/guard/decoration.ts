// Signs that models put around a text and nobody speaks: Markdown, tags, what belongs to a chat template, pictures.
// Counts them; what more of them means is output-guard.ts.

import type { Freedom } from './word-rules.ts'

/** Never part of a text that was not spoken so. */
const MARKUP: readonly RegExp[] = [
  /\*\*|__\w|~~/g,
  /^\s*#{1,6} /gm,
  /`/g,
  /<\/?[a-z|][^>\n]*>|\[\/?INST\]/gi,
  /^(?:user|assistant|system)\s*[:\n]/gim,
  /(?<![\p{L}\p{N}*])\*[^\s*](?:[^*\n]*[^\s*])?\*(?![\p{L}\p{N}*])/gu,
  /(?<![\p{L}\p{N}_])_[^\s_](?:[^_\n]*[^\s_])?_(?![\p{L}\p{N}_])/gu,
  /^\s*>\s/gm,
  /^\s*(?:-{3,}|={3,}|\*{3,}|_{3,})\s*$/gm,
  /^\s*\|.*\|\s*$/gm,
  /\[[^\]\n]+\]\([^)\n]+\)/g,
  /^\s*[-*+] \[[ x]\]/gim,
]

/** Lists and pictures: a style may ask for them. */
const FORM: readonly RegExp[] = [
  /^\s*(?:[-*+•‣▪–]|\p{Nd}{1,3}[.)])\s/gmu,
  /\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F/gu,
]

/** Whether the answer has more of such signs than what was said. */
export function isDecorated(input: string, output: string, freedom: Freedom): boolean {
  const patterns = freedom === 'filter' ? [...MARKUP, ...FORM] : MARKUP
  return patterns.some((pattern) => countOf(output, pattern) > countOf(input, pattern))
}

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0
