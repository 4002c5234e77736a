// Upper, lower, title and sentence case, with language-specific letters (Turkish i, German ß).

import { endsInAbbreviation, localeOf, mapSpans, unitSpans } from './text-units.ts'

type Language = string | null

export const upperCase = (text: string, language: Language = null): string =>
  text.toLocaleUpperCase(localeOf(language))

export const lowerCase = (text: string, language: Language = null): string =>
  text.toLocaleLowerCase(localeOf(language))

/** Capitalizes the first letter, after any punctuation and digits. */
export const capitalizeFirst = (text: string, language: Language = null): string =>
  text.replace(/\p{L}\p{M}*/u, (letter) => titleLetter(letter, language))

/** If the capital of a letter is two letters, as for ß or a ligature, only the first is a capital. */
function titleLetter(letter: string, language: Language): string {
  const [first = '', ...rest] = upperCase(letter, language)
  return first + rest.map((more) => (/\p{M}/u.test(more) ? more : lowerCase(more, language))).join('')
}

export const capitalizeWords = (text: string, language: Language = null): string =>
  mapWords(text, language, (word) => capitalizeFirst(word, language))

/** Words that stay lowercase in a title, except as its first or last word. */
const SMALL_WORDS: Record<string, string> = {
  en: 'a an and as at but by en for from if in into nor of off on onto or over per so the to up via vs vs. with yet',
  de: 'der die das den dem des ein eine einen einem einer eines und oder aber in im an am auf aus bei mit nach von vom zu zum zur für',
  fr: "le la les l' un une des de du d' et ou à au aux en dans sur par pour avec sans",
  es: 'el la los las un una unos unas y e o u de del a al en con por para sin',
  it: 'il lo la i gli le un uno una e o di del della dei delle a al alla da in con su per tra fra',
  pt: 'o a os as um uma e ou de do da dos das em no na nos nas por para com sem a ao à',
  nl: 'de het een en of van in op aan met voor door te',
}

/** Keeps words with inner capitals (iPhone, NASA), unless the whole text is in capitals. */
export function titleCase(text: string, language: Language = null): string {
  const small = new Set((SMALL_WORDS[(language ?? 'en').slice(0, 2)] ?? '').split(' '))
  const shouted = isShouted(text)
  return text.replace(/[^\r\n]+/gu, (line) => {
    const spans = unitSpans(line, 'word', language)
    return mapSpans(line, spans, (word, index) => {
      if (!shouted && isMixed(word)) return word
      const lower = lowerCase(word, language)
      const before = line.slice(spans[index - 1]?.to ?? 0, spans[index]?.from)
      const isEdge = index === 0 || index === spans.length - 1 || /[:.!?–—]/u.test(before)
      return small.has(lower) && !isEdge ? lower : capitalizeParts(lower, language)
    })
  })
}

/** "well-known" is two words in a title; "don't" and "example.com" are one. */
const capitalizeParts = (word: string, language: Language): string =>
  word
    .split(/([-\u2010\u2011/])/u)
    .map((part) => capitalizeFirst(part, language))
    .join('')

const NAMES_IN_ENGLISH = new Set(
  (
    'monday tuesday wednesday thursday friday saturday sunday january february april june july ' +
    'september october november december english german french spanish italian american british'
  ).split(' '),
)

/** Capitalizes the first word of each sentence, and in English "I", days and months; keeps words with inner capitals. */
export function sentenceCase(text: string, language: Language = null): string {
  const shouted = isShouted(text)
  const isEnglish = language === null || language.startsWith('en')
  const lowered = mapWords(text, language, (word) => {
    if (!shouted && isMixed(word)) return word
    const lower = lowerCase(word, language)
    if (isEnglish && NAMES_IN_ENGLISH.has(lower)) return capitalizeFirst(lower, language)
    return isEnglish && /^i(?:'|’|$)/u.test(lower) ? capitalizeFirst(lower, language) : lower
  })
  return capitalizeSentences(lowered, language)
}

export function capitalizeSentences(text: string, language: Language = null): string {
  const ended = capitalizeAfterPunctuation(text, language)
  const spans = unitSpans(ended, 'sentence', language)
  return mapSpans(ended, spans, (sentence) => {
    const first = /^[^\p{L}\p{N}]*\p{L}\S*/u.exec(sentence)?.[0]
    return first === undefined || isMixed(first) ? sentence : capitalizeFirst(sentence, language)
  })
}

/** Unicode's segmentation finds no sentence end before a lowercase letter. */
const capitalizeAfterPunctuation = (text: string, language: Language): string =>
  text.replace(
    /(?<![.…])([.!?]["”'’)\]]*\s+)(\p{Ll}\S*)/gu,
    (all: string, mark: string, word: string, at: number) => {
      const before = text.slice(Math.max(0, at - 8), at + 1)
      const isAbbreviation = mark.startsWith('.') && endsInAbbreviation(before)
      return isAbbreviation || isMixed(word) ? all : mark + capitalizeFirst(word, language)
    },
  )

/** Has a capital after its first letter: NASA, iPhone, McDonald, eBay. */
const isMixed = (word: string): boolean => /\p{Lu}/u.test(word.replace(/^\P{L}*\p{L}/u, ''))

const isShouted = (text: string): boolean => /\p{Lu}/u.test(text) && !/\p{Ll}/u.test(text)

const mapWords = (text: string, language: Language, change: (word: string) => string): string =>
  mapSpans(text, unitSpans(text, 'word', language), change)
