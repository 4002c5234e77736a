// Folds a text character by character for comparison, and maps each character back to its offset in the original.
// A character here is a grapheme cluster, which may have several code points.

/** A text with rewritten characters, and their offsets in the original. */
export type Rewritten = {
  text: string
  /** for each code unit of `text` and its end: the offset of its character in the original; -1 within a character */
  origins: Int32Array
}

export type Rewriting = {
  /** for each ASCII character */
  ascii: readonly string[]
  /** rewrites any other character, given in NFC */
  character: (character: string) => string
  /** collapses white space to one space */
  joinSpaces: boolean
}

const SPACES = /\s+/y
const NON_ASCII = /\P{ASCII}+/uy
const ASCII_END = 0x80

const asciiTable = (map: (character: string) => string): string[] =>
  Array.from({ length: ASCII_END }, (_, code) => map(String.fromCharCode(code)))

const unifyApostrophe = (character: string): string => (/^[’‘ʼ＇]$/.test(character) ? "'" : character)

/**
 * Full case folding, which JavaScript lacks: ß, ẞ and SS are equal, and so are the three sigmas. A dotless i stays
 * distinct, and İ folds to i.
 */
function foldCharacter(character: string): string {
  if (character === 'İ') return 'i'
  if (character.includes('ı')) return character
  const folded = character.toLowerCase().toUpperCase().toLowerCase().normalize('NFC')
  return unifyApostrophe(folded.replace('i\u0307', 'i'))
}

/** Case folding for all languages except TURKIC. */
export const FOLDED: Rewriting = {
  ascii: asciiTable((character) => character.toLowerCase()),
  character: foldCharacter,
  joinSpaces: true,
}

/** Case folding for languages where I is the capital of ı, and İ the capital of i. */
const FOLDED_TURKIC: Rewriting = {
  ascii: asciiTable((character) => (character === 'I' ? 'ı' : character.toLowerCase())),
  character: (character) => (character.startsWith('I') ? `ı${character.slice(1)}` : foldCharacter(character)),
  joinSpaces: true,
}

/** Only normalizes to NFC. */
export const COMPOSED: Rewriting = {
  ascii: asciiTable((character) => character),
  character: (character) => character,
  joinSpaces: false,
}

const TURKIC = new Set(['tr', 'az'])

export const foldingFor = (language: string | null): Rewriting =>
  language !== null && TURKIC.has(language) ? FOLDED_TURKIC : FOLDED

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' })

export function rewrite(text: string, rewriting: Rewriting): Rewritten {
  const parts: string[] = []
  const origins: number[] = []
  const add = (part: string, origin: number) => {
    parts.push(part)
    origins.push(origin)
    for (let i = 1; i < part.length; i += 1) origins.push(-1)
  }
  const { ascii, character, joinSpaces } = rewriting
  let at = 0
  while (at < text.length) {
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
    // An ASCII character may combine with the next code point: e and an accent are one character.
    const end = at + (code < ASCII_END ? 1 : 0) + matchAt(NON_ASCII, text, code < ASCII_END ? at + 1 : at)
    for (const { segment, index } of segmenter.segment(text.slice(at, end))) {
      if (joinSpaces && /^\s/.test(segment)) {
        if (parts.at(-1) !== ' ') add(' ', at + index)
        continue
      }
      const only = segment.length === 1 ? segment.charCodeAt(0) : ASCII_END
      add(only < ASCII_END ? ascii[only]! : character(segment.normalize('NFC')), at + index)
    }
    at = end
    // White space at the end of the range may continue in ASCII.
    if (joinSpaces && parts.at(-1) === ' ') at += matchAt(SPACES, text, at)
  }
  origins.push(text.length)
  return { text: parts.join(''), origins: Int32Array.from(origins) }
}

/** Length of the match of a sticky pattern at `at`, in code units. */
function matchAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex - at : 0
}
