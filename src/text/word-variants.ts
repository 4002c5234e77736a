// Words that mean the same to those who search for one of them: its plural or singular, and what a slip of the finger
// makes of it. For words in Latin letters, folded; guesses by endings, which find a little more than they should.

const LATIN = /^\p{sc=Latin}+$/u
const LEAST_INFLECTED = 4
const LEAST_MISTYPED = 5
const MOST_MISTYPED = 20

/** Endings that a word exchanges, and how long it is at least. What only goes on ("conference", "conferences") needs none. */
const ENDINGS: [ending: string, others: string[], least: number][] = [
  ['ies', ['y', 'ie'], 5],
  ['ves', ['f', 'fe'], 5],
  ['ses', ['s', 'sis'], 5],
  ['es', [''], 5],
  ['s', [''], LEAST_INFLECTED],
  ['y', ['ies'], LEAST_INFLECTED],
  ['f', ['ves'], LEAST_INFLECTED],
  ['fe', ['ves'], LEAST_INFLECTED],
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

/** The other number of a word, at a guess. */
export function inflectionsOf(word: string): string[] {
  const irregular = IRREGULAR.find((pair) => pair.includes(word))
  if (irregular) return irregular.filter((other) => other !== word)
  if (!LATIN.test(word) || word.length < LEAST_INFLECTED || word.endsWith('ss')) return []
  const others = ENDINGS.flatMap(([ending, endings, least]) =>
    word.length >= least && word.endsWith(ending)
      ? endings.map((other) => word.slice(0, -ending.length) + other)
      : [],
  )
  return [...new Set(others)]
}

export const mayBeMistyped = (word: string): boolean =>
  LATIN.test(word) && word.length >= LEAST_MISTYPED && word.length <= MOST_MISTYPED

const ALPHABET = [...'abcdefghijklmnopqrstuvwxyz']

/** All words that one letter too many, too few, wrong, or two exchanged make of it; and not itself. */
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

/** A regular expression for the same. */
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
