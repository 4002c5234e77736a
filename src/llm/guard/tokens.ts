// Splits a text into comparable words: in any script, ignoring punctuation and case.

import { FILLERS_WITHOUT_SPACES } from './expendable.ts'

export type TokenKind =
  /** a word of a script with upper and lower case */
  | 'cased'
  /** a word of a script without case, in which names look like any other word */
  | 'caseless'
  /** one character of a script without spaces between words */
  | 'character'
  /** one hiragana: mostly inflection and particles */
  | 'hiragana'

export type GuardToken = {
  kind: TokenKind
  /** as written in the text */
  surface: string
  /** for comparison: no case, no accents, no contraction */
  key: string
  /** index of its sentence, from 0 */
  sentence: number
  /** the first word of a line or sentence, which is capitalised anyway */
  first: boolean
}

const words = new Intl.Segmenter('und', { granularity: 'word' })
const sentences = new Intl.Segmenter('und', { granularity: 'sentence' })

const UNSPACED = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u
const HIRAGANA = /^\p{sc=Hira}/u
const CASED = /[\p{Lu}\p{Ll}\p{Lt}]/u

export function tokensOf(text: string): GuardToken[] {
  const tokens: GuardToken[] = []
  let sentence = 0
  for (const line of text.split('\n')) {
    for (const { segment } of sentences.segment(line)) {
      const found = tokensIn(segment, sentence)
      if (found.length === 0) continue
      tokens.push(...found)
      sentence++
    }
  }
  return tokens
}

function tokensIn(sentence: string, number: number): GuardToken[] {
  const tokens: GuardToken[] = []
  for (const { segment, isWordLike } of words.segment(sentence.replace(FILLERS_WITHOUT_SPACES, ''))) {
    if (!isWordLike) continue
    for (const [surface, key, kind] of partsOf(segment))
      tokens.push({ kind, surface, key, sentence: number, first: tokens.length === 0 })
  }
  return tokens
}

function partsOf(segment: string): [surface: string, key: string, kind: TokenKind][] {
  if (UNSPACED.test(segment))
    return (segment.match(/\P{M}\p{M}*/gu) ?? []).map((character) => [
      character,
      character.normalize('NFKC'),
      HIRAGANA.test(character) ? 'hiragana' : 'character',
    ])
  // Digits are compared separately, and symbols without a letter are not words.
  if (!/\p{L}/u.test(segment)) return []
  const kind = CASED.test(segment) ? 'cased' : 'caseless'
  return uncontracted(segment).map((part) => [part, keyOf(part), kind])
}

const ACCENTS = /[\u0300-\u036f]/gu

/** Removes the accents of Latin, Greek and Cyrillic only: combining marks of other scripts are letters. */
export const keyOf = (word: string): string =>
  word.normalize('NFKD').replace(ACCENTS, '').toLowerCase().normalize('NFC')

const ENDINGS: Record<string, string> = {
  ll: 'will',
  re: 'are',
  ve: 'have',
  m: 'am',
  d: 'would',
  // "is", "has" or a possessive: indistinguishable, and none carries meaning.
  s: '',
}

const WHOLE: Record<string, string> = {
  cannot: 'can not',
  "can't": 'can not',
  "won't": 'will not',
  "shan't": 'shall not',
  gonna: 'going to',
  wanna: 'want to',
  gotta: 'got to',
  thanks: 'thank',
}

/** "don't" as "do" and "not", "j'ai" as "j" and "ai": a style may write it either way. */
function uncontracted(word: string): string[] {
  const plain = word.replace(/[’ʼ]/g, "'")
  const whole = WHOLE[plain.toLowerCase()]
  if (whole !== undefined) return whole.split(' ')
  const negated = /^(.+)n't$/i.exec(plain)
  if (negated?.[1]) return [negated[1], 'not']
  const [stem = '', ...rest] = plain.split("'")
  const endings = rest.map((part) => ENDINGS[part.toLowerCase()] ?? part)
  return [stem, ...endings].filter((part) => part !== '')
}
