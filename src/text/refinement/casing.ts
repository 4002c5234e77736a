// Capitalizes sentences and names (days, months), or removes all capitals, by the style. Never changes protected text
// (identifiers, addresses, quotations), and never removes the capitals of acronyms.

import { endsWith } from './phrases.ts'
import { capitalize, isCapitalized, isTerminator } from './punctuation.ts'
import type { RefinementStep, StepContext } from './step.ts'
import { isSpoken, join, make, type TextToken } from './tokens.ts'

export const applyCasing: RefinementStep = (tokens, context) => {
  if (context.rules.capitalize === 'none') return join(tokens)
  if (context.rules.capitalize === 'lower')
    return join(tokens.map((token) => lower(token, context.language.code)))
  return join(capitalizeSentences(tokens, context))
}

/** PDF, NATO, UNICEF; longer words in capitals are shouting. */
const ACRONYM = /^\p{Lu}{2,6}$/u

function lower(token: TextToken, code: string): TextToken {
  if (token.kind !== 'word' || ACRONYM.test(token.text)) return token
  const turkic = code === 'tr' || code === 'az'
  return make('word', turkic ? token.text.toLocaleLowerCase('tr') : token.text.toLowerCase())
}

const PRONOUN_I = /^i(?:['’](?:m|ve|ll|d|s))?$/

function capitalizeSentences(tokens: readonly TextToken[], { language }: StepContext): TextToken[] {
  let starts = true
  return tokens.map((token, index) => {
    if (token.kind === 'space') return token
    if (isTerminator(token)) starts = endsSentence(tokens, index, language.abbreviations, language.code)
    else if (token.kind === 'newline')
      starts ||= endsParagraph(tokens, index, language.lowercaseAfterSalutation)
    // A sentence can begin after brackets and opening punctuation, but not after a bullet, a comma or dots.
    else if (token.kind === 'mark') starts &&= /^[([{¿¡"'“”’»)\]]+$/u.test(token.text)
    // Dutch "'s Avonds": the next word gets the capital.
    else if (
      language.code === 'nl' &&
      /^['’]$/.test(tokens[index - 1]?.text ?? '') &&
      /^[stnk]$/.test(token.key)
    )
      return token
    else {
      const capital =
        starts ||
        (language.code === 'en' && PRONOUN_I.test(token.text)) ||
        endsWith(tokens, index + 1, language.names)
      starts = false
      if (capital && token.kind === 'word' && !isCapitalized(token.text))
        return make('word', capitalize(token.text, language.code))
    }
    return token
  })
}

/** A space must follow the full stop, and it must not belong to an abbreviation, an initial or a German ordinal. */
function endsSentence(
  tokens: readonly TextToken[],
  at: number,
  abbreviations: ReadonlySet<string>,
  code: string,
): boolean {
  const [next, previous] = [tokens[at + 1], tokens[at - 1]]
  if (next !== undefined && next.kind !== 'space' && next.kind !== 'newline' && next.kind !== 'mark')
    return false
  if (tokens[at]!.text !== '.' || !isSpoken(previous)) return true
  if (abbreviations.has(previous.key) || /^\p{L}$/u.test(previous.text)) return false
  if (previous.kind === 'number') return code !== 'de'
  return !(previous.kind === 'kept' && /^(?:\p{L}{1,3}\.)+\p{L}{1,3}$/u.test(previous.text))
}

/** An empty line begins a paragraph, except after a salutation such as "Liebe Anna,". */
function endsParagraph(tokens: readonly TextToken[], at: number, lowercaseAfterSalutation: boolean): boolean {
  let index = at - 1
  let breaks = 1
  for (; index >= 0 && (tokens[index]!.kind === 'space' || tokens[index]!.kind === 'newline'); index -= 1)
    if (tokens[index]!.kind === 'newline') breaks += 1
  return breaks > 1 && !(lowercaseAfterSalutation && tokens[index]?.text === ',')
}
