// Texts as they are compared: letter by letter without case, with the way back to where each letter stands.
// A letter is a grapheme: what people see as one, however many code points it has. Finding is find-edits.ts.

import { atOnce, type Sliced } from '../../lib/time-slice.ts'

/** A text of which each letter was rewritten, and where the letters were before. */
export type Rewritten = {
  text: string
  /** for each code unit of `text` and its end: where its letter begins in the original; -1 within a letter */
  origins: Int32Array
}

/** How letters are rewritten. */
export type Rewriting = {
  /** for each ASCII character */
  ascii: readonly string[]
  /** any other letter, given in NFC */
  letter: (letter: string) => string
  /** one space for whatever lies between two words */
  joinSpaces: boolean
}

const SPACES = /\s+/y
const NON_ASCII = /\P{ASCII}+/uy
const ASCII_END = 0x80

const asciiTable = (map: (character: string) => string): string[] =>
  Array.from({ length: ASCII_END }, (_, code) => map(String.fromCharCode(code)))

const unifyApostrophe = (letter: string): string => (/^[’‘ʼ＇]$/.test(letter) ? "'" : letter)

/**
 * Full case folding, which JavaScript lacks: ß, ẞ and SS are one, and so are the three sigmas. A dotless i stays one of
 * its own, and the dot of İ is its case.
 */
function foldLetter(letter: string): string {
  if (letter === 'İ') return 'i'
  if (letter.includes('ı')) return letter
  const folded = letter.toLowerCase().toUpperCase().toLowerCase().normalize('NFC')
  return unifyApostrophe(folded.replace('i\u0307', 'i'))
}

/** In all languages but those of TURKIC. */
export const FOLDED: Rewriting = {
  ascii: asciiTable((character) => character.toLowerCase()),
  letter: foldLetter,
  joinSpaces: true,
}

/** Where I is the capital of ı, and İ that of i. */
const FOLDED_TURKIC: Rewriting = {
  ascii: asciiTable((character) => (character === 'I' ? 'ı' : character.toLowerCase())),
  letter: (letter) => (letter.startsWith('I') ? `ı${letter.slice(1)}` : foldLetter(letter)),
  joinSpaces: true,
}

/** Only brought to NFC. */
export const COMPOSED: Rewriting = {
  ascii: asciiTable((character) => character),
  letter: (letter) => letter,
  joinSpaces: false,
}

const TURKIC = new Set(['tr', 'az'])

export const foldingFor = (language: string | null): Rewriting =>
  language !== null && TURKIC.has(language) ? FOLDED_TURKIC : FOLDED

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** So many letters between two places where the work may pause. */
const LETTERS_A_STEP = 512

/** A text that is known to be short. */
export const rewrite = (text: string, rewriting: Rewriting): Rewritten => atOnce(rewritten(text, rewriting))

export function* rewritten(text: string, rewriting: Rewriting): Sliced<Rewritten> {
  const parts: string[] = []
  const origins: number[] = []
  const add = (part: string, origin: number) => {
    parts.push(part)
    origins.push(origin)
    for (let i = 1; i < part.length; i += 1) origins.push(-1)
  }
  const { ascii, letter, joinSpaces } = rewriting
  let at = 0
  while (at < text.length) {
    if (parts.length % LETTERS_A_STEP === 0) yield
    const space = joinSpaces ? matchAt(SPACES, text, at) : 0
    if (space > 0) {
      add(' ', at)
      at += space
      continue
    }
    const code = text.charCodeAt(at)
    if (code < ASCII_END && !(text.charCodeAt(at + 1) >= ASCII_END)) {
      add(ascii[code]!, at)
      at += 1
      continue
    }
    // An ASCII letter may go on with what follows: e and an accent are one.
    const end = at + (code < ASCII_END ? 1 : 0) + matchAt(NON_ASCII, text, code < ASCII_END ? at + 1 : at)
    for (const { segment, index } of segmenter.segment(text.slice(at, end))) {
      if (parts.length % LETTERS_A_STEP === 0) yield
      if (joinSpaces && /^\s/.test(segment)) {
        if (parts.at(-1) !== ' ') add(' ', at + index)
        continue
      }
      const only = segment.length === 1 ? segment.charCodeAt(0) : ASCII_END
      add(only < ASCII_END ? ascii[only]! : letter(segment.normalize('NFC')), at + index)
    }
    at = end
    // A space that ends the range goes on in ASCII.
    if (joinSpaces && parts.at(-1) === ' ') at += matchAt(SPACES, text, at)
  }
  origins.push(text.length)
  return { text: parts.join(''), origins: Int32Array.from(origins) }
}

/** How many code units a sticky pattern takes from there. */
function matchAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex - at : 0
}
