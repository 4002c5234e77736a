// Joins spoken addresses and names: "example dot com", "user underscore id", "src slash main dot ts", "dash dash help".
// The result must be an address, a file, an identifier or an option; "the dot com bubble" and "meet me at ten" stay.

import type { LanguageData, SpokenSymbols } from './languages/language.ts'
import type { Language } from './languages/languages.ts'
import { endsWith, matchAt } from './phrases.ts'
import { after, before } from './punctuation.ts'
import { optionAfterProgram } from './spoken-options.ts'
import type { RefinementStep } from './step.ts'
import { isSpoken, join, make, type TextToken } from './tokens.ts'

/** Maximum number of parts of an address. */
const MAX_PARTS = 14

const WRITTEN: Record<keyof LanguageData['symbols'], string> = {
  dot: '.',
  at: '@',
  underscore: '_',
  slash: '/',
  colon: ':',
  dash: '-',
}

/** Domain and file extensions that people say as a word. */
const ENDINGS =
  'com|org|net|io|dev|app|ai|edu|gov|info|eu|uk|de|at|ch|fr|es|it|nl|be|pt|br|jp|cn|tw|mx|ar|ts|js|tsx|jsx|py|rs|go|' +
  'java|rb|php|cs|cpp|sh|sql|html|css|json|yaml|yml|toml|xml|csv|txt|md|pdf|png|jpg|svg|zip|docx|xlsx|env|lock|conf'

const ENDING = new RegExp(`^(?:${ENDINGS})$`, 'iu')
const NAME = '[\\p{L}\\p{N}_-]+'
const HOST = `${NAME}(?:\\.${NAME})*\\.(?:${ENDINGS})`
const ACCEPTED = {
  address: new RegExp(`^(?:https?://)?${HOST}(?:/[\\p{L}\\p{N}_.-]+)*$`, 'iu'),
  mail: new RegExp(`^[\\p{L}\\p{N}_.-]+@${HOST}$`, 'iu'),
  file: new RegExp(`^${NAME}(?:/${NAME})+\\.(?:${ENDINGS})$`, 'iu'),
  identifier: /^[\p{L}\p{N}]+(?:_[\p{L}\p{N}]+)+$/u,
  version: /^v?\d+(?:\.\d+)+$/iu,
}

const MAIL_CUE =
  /^(?:e-?mail|mail|address|adresse|correo|dirección|indirizzo|posta|endereço|contact|kontakt|mailadres)$/

export const joinSpokenSymbols: RefinementStep = (tokens, { language }) => {
  const kept: TextToken[] = []
  let index = 0
  while (index < tokens.length) {
    const joined =
      longOptionAt(tokens, index, language) ??
      shortOptionAt(kept, tokens, index, language) ??
      addressAt(kept, tokens, index, language)
    kept.push(joined?.token ?? tokens[index]!)
    index = joined?.to ?? index + 1
  }
  return join(kept)
}

type Joined = { token: TextToken; to: number }

/** "dash dash verbose" */
function longOptionAt(tokens: readonly TextToken[], at: number, language: Language): Joined | null {
  let to = at
  for (let dashes = 0; dashes < 2; dashes += 1) {
    const symbol = matchAt(tokens, after(tokens, to), language.symbols)
    if (symbol?.value !== 'dash' || (dashes === 0 && tokens[to]!.kind === 'space')) return null
    to = symbol.to
  }
  const name = tokens[after(tokens, to)]
  if (name?.kind !== 'word') return null
  return { token: make('kept', `--${name.key}`), to: after(tokens, to) + 1 }
}

/** "git commit dash m" */
function shortOptionAt(
  kept: readonly TextToken[],
  tokens: readonly TextToken[],
  at: number,
  language: Language,
): Joined | null {
  const option = optionAfterProgram(kept, tokens, at, language)
  return option?.write ? { token: make('kept', option.write), to: option.to } : null
}

function addressAt(
  kept: readonly TextToken[],
  tokens: readonly TextToken[],
  at: number,
  language: Language,
): Joined | null {
  if (!isPart(tokens[at]) || !matchAt(tokens, after(tokens, at + 1), language.symbols)) return null
  if (isFunctionWord(tokens[at]!, language)) return null
  const parts = partsFrom(tokens, at, language)
  if (!parts.some(isDistinctive)) return null
  for (let count = parts.length; count > 1; count -= 1) {
    const taken = parts.slice(0, count)
    const text = taken.map((part) => part.text).join('')
    if (isAccepted(text, taken, kept, tokens, language)) {
      const mail = text.includes('@')
      return { token: make('kept', mail ? text.toLowerCase() : text), to: taken.at(-1)!.to }
    }
  }
  return null
}

/** At least one part must have an underscore, a number after a dot, or a known extension. */
const isDistinctive = ({ symbol, word }: Part): boolean =>
  symbol === 'underscore' || (symbol === 'dot' && (word.kind === 'number' || ENDING.test(word.key)))

type Part = {
  text: string
  symbol: keyof SpokenSymbols | null
  ambiguous: boolean
  to: number
  word: TextToken
}

const isPart = (token: TextToken | undefined): token is TextToken =>
  token?.kind === 'word' || token?.kind === 'number' || (token?.kind === 'kept' && !/\s/.test(token.text))

/** "example", "dot com", "slash docs": a word, then symbols, each followed by a word. */
function partsFrom(tokens: readonly TextToken[], at: number, language: Language): Part[] {
  const first = tokens[at]!
  const parts: Part[] = [{ text: first.text, symbol: null, ambiguous: false, to: at + 1, word: first }]
  while (parts.length < MAX_PARTS) {
    const from = after(tokens, parts.at(-1)!.to)
    const symbol = matchAt(tokens, from, language.symbols)
    if (!symbol) break
    const kind = symbol.value
    let text = WRITTEN[kind]
    let to = symbol.to
    // "colon slash slash"
    while (kind === 'colon') {
      const slash = matchAt(tokens, after(tokens, to), language.symbols)
      if (slash?.value !== 'slash') break
      text += WRITTEN.slash
      to = slash.to
    }
    const word = after(tokens, to)
    if (!isPart(tokens[word])) break
    // Only in English is "at" also an ordinary word.
    const ambiguous = kind === 'at' && language.code === 'en'
    parts.push({ text: text + tokens[word].text, symbol: kind, ambiguous, to: word + 1, word: tokens[word] })
  }
  return parts
}

function isAccepted(
  text: string,
  parts: readonly Part[],
  kept: readonly TextToken[],
  tokens: readonly TextToken[],
  language: Language,
): boolean {
  if (text.length > 200) return false
  if (ACCEPTED.identifier.test(text) || ACCEPTED.version.test(text)) return true
  if (ACCEPTED.mail.test(text)) return isMail(parts, kept)
  if (!ACCEPTED.address.test(text) && !ACCEPTED.file.test(text)) return false
  // "ponto com" may end a name or continue with "com" as a word; only the end of the clause makes it a name.
  const ending = parts.findLast(({ symbol }) => symbol === 'dot')?.word
  const dots = parts.filter(({ symbol }) => symbol === 'dot').length
  return (
    ending === undefined ||
    dots > 1 ||
    parts.some(({ symbol }) => symbol === 'slash') ||
    !isFunctionWord(ending, language) ||
    !isSpoken(tokens[after(tokens, parts.at(-1)!.to)])
  )
}

/** "Meet me at example dot com" has no e-mail address: that takes a dot before "at", or "email" before the address. */
function isMail(parts: readonly Part[], kept: readonly TextToken[]): boolean {
  const at = parts.findIndex(({ symbol }) => symbol === 'at')
  if (at === -1 || !parts[at]!.ambiguous || at > 1) return true
  let index = kept.length
  for (let words = 0; words < 5; words += 1) {
    index = before(kept, index)
    if (index < 0) return false
    if (MAIL_CUE.test(kept[index]!.key)) return true
  }
  return false
}

const isFunctionWord = (token: TextToken, language: Language): boolean =>
  endsWith([token], 1, language.determiners) ||
  matchAt([token], 0, language.stutters)?.to === 1 ||
  matchAt([token], 0, language.subjects)?.to === 1
