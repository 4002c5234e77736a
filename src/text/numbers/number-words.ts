// Number words as single words; parse-number.ts reads numbers of several words.

import { numberLanguage } from './languages/languages.ts'
import { type Atom, foldWord, type WordLanguage } from './number-language.ts'
import { atomsOf } from './tokens.ts'

const isCounting = ({ kind }: Atom): boolean =>
  kind === 'digit' || kind === 'exact' || kind === 'tens' || isLarge(kind)
const isLarge = (kind: Atom['kind']): boolean => kind === 'hundred' || kind === 'hundreds' || kind === 'scale'

/** In most languages the word for one is also an article, so callers must list it in `more`. */
const isOne = (atoms: Atom[]): boolean =>
  atoms.length === 1 && atoms[0]!.kind === 'digit' && atoms[0]!.value === 1 && !atoms[0]!.ordinal

/**
 * Returns a test whether a word is a number in the language; compounds and hyphenated words are.
 * @param more other words that count as numbers: the word for one, half
 */
export function numberWords(
  code: string,
  { more, ordinals = false }: { more: readonly string[]; ordinals?: boolean },
): (word: string) => boolean {
  const language = wordLanguage(code)
  const others = new Set(more.map(foldWord))
  return (word) => {
    const folded = foldWord(word)
    if (others.has(folded)) return true
    const parts = folded.split('-').map((part) => atomsOf(part, language))
    const atoms = parts.every((part) => part !== null) ? parts.flat() : []
    return (
      atoms.some(isCounting) && !isOne(atoms) && (ordinals || atoms.every(({ ordinal }) => ordinal !== true))
    )
  }
}

/** From 2 to 19, the tens, a hundred, a thousand, a million. */
const PLAIN = [...Array(18).keys()]
  .map((at) => at + 2)
  .concat([20, 30, 40, 50, 60, 70, 80, 90, 100, 1000, 1_000_000])

function worthOf(atom: Atom): number | null {
  if (atom.ordinal) return null
  if (atom.kind === 'hundred') return 100
  return 'value' in atom ? atom.value : null
}

/** Plurals and endings that are not numbers on their own, and mean something else in other languages: cents, Mila. */
const NEVER_ALONE = ['cents', 'vingts', 'mila']

/** Compounds, which the data has only in parts. */
const COMPOUNDS: Record<string, [string, number][]> = {
  de: [
    ['einhundert', 100],
    ['eintausend', 1000],
  ],
}

/** The single-word names of the plain numbers above one, folded. */
export function plainNumberWords(code: string): Map<string, number> {
  const language = wordLanguage(code)
  const known = [...language.words].map(([word, atom]) => [word, worthOf(atom)] as const)
  return new Map(
    [...known, ...(COMPOUNDS[code] ?? [])].filter(
      (one): one is readonly [string, number] =>
        PLAIN.includes(one[1] ?? 0) && /^\p{L}+$/u.test(one[0]) && !NEVER_ALONE.includes(one[0]),
    ),
  )
}

function wordLanguage(code: string): WordLanguage {
  const language = numberLanguage(code)
  if (language?.script !== 'letters') throw new Error(`no number words for the language ${code}`)
  return language
}
