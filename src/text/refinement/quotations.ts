// Finds ranges in quotation marks or backticks, which refinement never changes.

import type { TextRange } from '../text-tokens.ts'

const CLOSERS: Record<string, string> = {
  '"': '"',
  '“': '”',
  '„': '“”',
  '«': '»',
  '‹': '›',
  '‘': '’',
  "'": "'",
  '`': '`',
  '「': '」',
  '『': '』',
}

/** In characters. A quotation mark without a closing one within this length and on the same line is a stray mark. */
const LONGEST = 400

const STARTERS = /["“„«‹‘'`「『]/g
const FENCE = '```'
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u

/** Quotations in order, including their marks, not nested. Linear in the length of the text. */
export function findQuotations(text: string): TextRange[] {
  const found: TextRange[] = []
  /** by opening mark: no quotation ends before this offset, so the text is searched only once for a stray mark */
  const noneBefore = new Map<string, number>()
  let position = 0
  STARTERS.lastIndex = 0
  for (const { index, 0: opening } of text.matchAll(STARTERS)) {
    if (index < position || !opens(text, index, opening)) continue
    const to = text.startsWith(FENCE, index)
      ? closeFence(text, index, noneBefore)
      : closeQuotation(text, index, noneBefore)
    if (to === null) continue
    found.push({ from: index, to })
    position = to
  }
  return found
}

/** Straight marks open only before a word, not inside one, where they are apostrophes or inches. */
function opens(text: string, at: number, opening: string): boolean {
  const straight = opening === '"' || opening === "'" || opening === '‘'
  if (!straight) return true
  const [before, after] = [text[at - 1], text[at + 1]]
  return after !== undefined && !/\s/.test(after) && (before === undefined || !LETTER_OR_DIGIT.test(before))
}

function closeQuotation(text: string, from: number, noneBefore: Map<string, number>): number | null {
  const opening = text[from]!
  const closers = CLOSERS[opening]!
  const end = Math.min(text.length, from + LONGEST)
  let at = Math.max(from + 1, noneBefore.get(opening) ?? 0)
  for (; at < end && text[at] !== '\n'; at += 1) if (closers.includes(text[at]!) && closes(text, at)) break
  if (at < end && text[at] !== '\n') return at === from + 1 ? null : at + 1
  noneBefore.set(opening, at)
  return null
}

function closes(text: string, at: number): boolean {
  if (!`"'’`.includes(text[at]!)) return true
  const [before, after] = [text[at - 1]!, text[at + 1]]
  return !/\s/.test(before) && (after === undefined || !LETTER_OR_DIGIT.test(after))
}

function closeFence(text: string, from: number, noneBefore: Map<string, number>): number | null {
  if (noneBefore.has(FENCE)) return null
  const at = text.indexOf(FENCE, from + FENCE.length)
  if (at !== -1) return at + FENCE.length
  noneBefore.set(FENCE, text.length)
  return null
}
