// Divides long lines into paragraphs of a few sentences; existing line breaks stay.

import { isTerminator } from './punctuation.ts'
import type { RefinementStep } from './step.ts'
import { join, make, type TextToken } from './tokens.ts'

/** Lines with more sentences are divided. */
const MAX_SENTENCES = 7
/** Sentences per new paragraph; fewer than MAX_SENTENCES, so that a second pass changes nothing. */
const PARAGRAPH_SENTENCES = 4

export const divideParagraphs: RefinementStep = (tokens, { rules }) => {
  if (!rules.paragraphs) return join(tokens)
  const divided: TextToken[] = []
  let line: TextToken[] = []
  for (const token of tokens) {
    line.push(token)
    if (token.kind !== 'newline') continue
    divided.push(...divideLine(line))
    line = []
  }
  return join(divided.concat(divideLine(line)))
}

function divideLine(line: TextToken[]): TextToken[] {
  const ends = line.flatMap((_, index) => (endsSentence(line, index) ? [index] : []))
  const sentences = ends.length + 1
  if (sentences <= MAX_SENTENCES) return line
  const paragraphs = Math.ceil(sentences / PARAGRAPH_SENTENCES)
  const breaks = new Set<number>()
  for (let paragraph = 1; paragraph < paragraphs; paragraph += 1)
    breaks.add(ends[Math.round((paragraph * sentences) / paragraphs) - 1]!)
  return line.flatMap((token, index) => {
    if (breaks.has(index)) return [token, make('newline', '\n\n')]
    return breaks.has(index - 1) && token.kind === 'space' ? [] : [token]
  })
}

/** The end of a sentence, followed on the same line by a sentence that begins with a capital or an ideograph. */
function endsSentence(line: readonly TextToken[], at: number): boolean {
  if (!isTerminator(line[at])) return false
  const spaced = line[at + 1]?.kind === 'space'
  const next = line[spaced ? at + 2 : at + 1]
  if (next === undefined || next.kind === 'newline') return false
  const short = line[at]!.text === '.' && (line[at - 1]?.text.length ?? 0) <= 2
  return next.kind === 'ideograph' || (spaced && !short && /^[\p{Lu}¿¡]/u.test(next.text))
}
