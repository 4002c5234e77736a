// Which single words are numbers, and what they are worth, for those who meet them one by one.
// How several of them make a number is parse-number.ts.

import { numberLanguage } from './languages/languages.ts'
import { type Atom, foldWord, type WordLanguage } from './number-language.ts'
import { atomsOf } from './tokens.ts'

const isCounting = ({ kind }: Atom): boolean =>
  kind === 'digit' || kind === 'exact' || kind === 'tens' || isLarge(kind)
const isLarge = (kind: Atom['kind']): boolean => kind === 'hundred' || kind === 'hundreds' || kind === 'scale'

/** An article as well in most languages: who takes it for a number says so. */
const isOne = (atoms: Atom[]): boolean =>
  atoms.length === 1 && atoms[0]!.kind === 'digit' && atoms[0]!.value === 1 && !atoms[0]!.ordinal

/**
 * Tells whether a word is a number of the language, also one that is written together or with hyphens.
 * @param more other words that count as one: the word for one, half
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

/** Plurals and endings that are no number by themselves, and something else in other languages: cents, Mila. */
const NEVER_ALONE = ['cents', 'vingts', 'mila']

/** What the plain numbers above one are called in a single word, folded. */
export function plainNumberWords(code: string): Map<string, number> {
  const language = wordLanguage(code)
  const spelled = PLAIN.map((value) => [foldWord(language.spell(value)), value] as const)
  const known = [...language.words].map(([word, atom]) => [word, worthOf(atom)] as const)
  return new Map(
    [...spelled, ...known].filter(
      (one): one is readonly [string, number] =>
        PLAIN.includes(one[1] ?? 0) && /^\p{L}+$/u.test(one[0]) && !NEVER_ALONE.includes(one[0]),
    ),
  )
}

function wordLanguage(code: string): WordLanguage {
  const language = numberLanguage(code)
  if (language?.script !== 'letters') throw new Error(`no number words are known of ${code}`)
  return language
}
