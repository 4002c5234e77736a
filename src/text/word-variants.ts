// Variants of a search word: its plural or singular, and its typos. For folded words in Latin script. Inflection is
// guessed from endings and finds slightly too much.

const LATIN = /^\p{sc=Latin}+$/u
const MIN_INFLECTED_LENGTH = 4
const MIN_MISTYPED_LENGTH = 5
const MAX_MISTYPED_LENGTH = 20

/** Interchangeable endings and minimum word lengths. A plural that extends the word ("conferences") needs no entry. */
const ENDINGS: [ending: string, others: string[], minLength: number][] = [
  ['ies', ['y', 'ie'], 5],
  ['ves', ['f', 'fe'], 5],
  ['ses', ['s', 'sis'], 5],
  ['es', [''], 5],
  ['s', [''], MIN_INFLECTED_LENGTH],
  ['y', ['ies'], MIN_INFLECTED_LENGTH],
  ['f', ['ves'], MIN_INFLECTED_LENGTH],
  ['fe', ['ves'], MIN_INFLECTED_LENGTH],
  ['sis', ['ses'], 5],
  ['aux', ['al'], 5],
  ['al', ['aux'], 5],
  ['ces', ['z'], 5],
  ['oes', ['ao'], 5],
  ['ao', ['oes'], 5],
  ['en', ['', 'e'], 7],
  ['er', [''], 7],
]

const IRREGULAR = [
  ['man', 'men'],
  ['woman', 'women'],
  ['child', 'children'],
  ['person', 'people'],
  ['foot', 'feet'],
  ['tooth', 'teeth'],
  ['mouse', 'mice'],
  ['goose', 'geese'],
]

/** Guesses the plural or singular of a word. */
export function inflectionsOf(word: string): string[] {
  const irregular = IRREGULAR.find((pair) => pair.includes(word))
  if (irregular) return irregular.filter((other) => other !== word)
  if (!LATIN.test(word) || word.length < MIN_INFLECTED_LENGTH || word.endsWith('ss')) return []
  const others = ENDINGS.flatMap(([ending, endings, minLength]) =>
    word.length >= minLength && word.endsWith(ending)
      ? endings.map((other) => word.slice(0, -ending.length) + other)
      : [],
  )
  return [...new Set(others)]
}

export const mayBeMistyped = (word: string): boolean =>
  LATIN.test(word) && word.length >= MIN_MISTYPED_LENGTH && word.length <= MAX_MISTYPED_LENGTH

const ALPHABET = [...'abcdefghijklmnopqrstuvwxyz']

/** All words with one extra, missing, wrong or transposed letter; excludes the word itself. */
export function misspellingsOf(word: string): string[] {
  const found = new Set<string>()
  for (let at = 0; at <= word.length; at += 1) {
    const [before, after] = [word.slice(0, at), word.slice(at)]
    for (const letter of ALPHABET) {
      found.add(before + letter + after)
      if (after !== '') found.add(before + letter + after.slice(1))
    }
    found.add(before + after.slice(1))
    if (after.length > 1) found.add(before + after[1]! + after[0]! + after.slice(2))
  }
  found.delete(word)
  return [...found]
}

/** A regular expression that matches the misspellings. */
export function misspellingPattern(word: string): string {
  const ways = Array.from({ length: word.length + 1 }, (_, at) => {
    const [before, after] = [word.slice(0, at), word.slice(at)]
    const exchanged = after.length > 1 ? `|${after[1]}${after[0]}${after.slice(2)}` : ''
    return after === ''
      ? `${before}\\p{L}`
      : `${before}(?:\\p{L}?${after.slice(1)}|\\p{L}${after}${exchanged})`
  })
  return `(?:${ways.join('|')})`
}
