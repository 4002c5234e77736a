// Commands that clean a text: punctuation, spaces and filler words; and that count its parts.

import { capitalizeSentences } from '../letter-case.ts'
import { removeDiscourseWords, removeHesitations } from '../refinement/fillers.ts'
import { refinementLanguage } from '../refinement/languages/languages.ts'
import { refineText } from '../refinement/refine.ts'
import type { StyleRules } from '../refinement/step.ts'
import { tokenizeText } from '../refinement/tokens.ts'
import { UNITS, type Unit, unitSpans } from '../text-units.ts'
import { endingOf, mapEachLine, mapInner } from './lines.ts'
import { type TextEdit, textRule } from './rule.ts'

/** Replaces other final punctuation; a closing quote or bracket stays last. */
const endWith = (text: string, mark: string): string =>
  mapInner(text, (inner) => {
    const closing = endingOf(inner, /["”'’)\]»」]/u)
    return withoutFinalMark(inner.slice(0, inner.length - closing.length)) + mark + closing
  })

const withoutFinalMark = (text: string): string =>
  text.slice(0, text.length - endingOf(text, /[.,;:!?…。！？]/u).length)

const removeFinalMark = (text: string): string => mapInner(text, (inner) => withoutFinalMark(inner) || inner)

/** Keeps a question mark; Chinese and Japanese sentences end with an ideographic full stop. */
function endWithPeriod(text: string): string {
  const body = text.slice(0, text.length - endingOf(text, /["”'’)\]»」\s]/u).length)
  if (/[.!?…。！？]/u.test(body.slice(-1))) return text
  return endWith(text, /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]/u.test(body.slice(-1)) ? '。' : '.')
}

/** Keeps the indent of a line. */
const collapseSpaces = (text: string): string =>
  mapEachLine(text, (line) => line.replace(/(?<=\S)[^\S\r\n]+/gu, ' ').trimEnd())

/** One space after punctuation and none before it, except in numbers, addresses and French. */
function fixSpacing(text: string, language: string | null): string {
  const before = language?.startsWith('fr')
    ? /(?<=\S) +(?=,(?:\s|\p{L}|$)|\.(?:\s|$))/gmu
    : /(?<=\S) +(?=[,;!?](?:\s|\p{L}|$)|[.:](?:\s|$))/gmu
  return collapseSpaces(text)
    .replace(before, '')
    .replace(/(?<=\p{L}),(?=\p{L})/gu, ', ')
    .replace(/(?<=\p{Ll}[!?;])(?=\p{Lu}[\p{Ll}\s])/gu, ' ')
    .replace(/(?<=[([{]) +(?=\S)/gu, '')
    .replace(/(?<=\S) +(?=[)\]}])/gu, '')
}

/** Repairs spacing, doubled punctuation, initial capitals and the final full stop. */
function fixPunctuation(text: string, language: string | null): string {
  const single = fixSpacing(text, language)
    .replace(/,{2,}/gu, ',')
    .replace(/;{2,}/gu, ';')
    .replace(/(?<!\.)\.{2}(?!\.)/gu, '.')
    .replace(/,(?=[.!?])/gu, '')
  return mapInner(capitalizeSentences(single, language), (inner) =>
    /[\p{L}\p{N}"”'’)\]»」]$/u.test(inner) ? endWithPeriod(inner) : inner,
  )
}

const RULES: StyleRules = {
  ...{ removeFillers: true, capitalize: 'sentence', trailingPeriod: 'keep', trailingSpace: false },
  ...{ spokenPunctuation: false, numbers: 'words', paragraphs: false },
}
const FLAGS = { smartCleanup: true, selfCorrection: true, preserveTechnical: true }

/** The language defaults to English, that of the instructions. */
function removeFillers(text: string, language: string | null): string {
  const context = { language: refinementLanguage(language ?? 'en'), flags: FLAGS, rules: RULES }
  return removeDiscourseWords(tokenizeText(removeHesitations(tokenizeText(text), context)), context)
}

/** Removes loops, fillers, stutters and corrections; repairs punctuation, capitals and spaces. */
function cleanUp(text: string, language: string | null): string {
  const options = { language: language ?? 'en', flags: FLAGS, rules: RULES }
  return mapInner(text, (inner) => refineText(inner, options).text)
}

const END = '[(at|to) the [very] end [of <this>]|to <this>|there|here]'

const ending = (name: string, words: string, change: TextEdit) =>
  textRule(`add ${name}`, `Ends the text with ${name}.`, change, [
    `add ${name}`,
    `(add|put|place|insert|append) [a|an|the] ${words} ${END}`,
    `end (<this>|with) [with] [a|an] ${words}`,
    `<make> <this> a ${words}`,
  ])

function counting(unit: Unit) {
  const words = unit === 'character' ? '(characters|character|letters|letter)' : `(${unit}s|${unit})`
  const count: TextEdit = (text, language) => {
    const { length } = unitSpans(text, unit, language)
    return `${length} ${unit}${length === 1 ? '' : 's'}`
  }
  const rule = textRule(`count ${unit}s`, `Counts the ${unit}s. The result goes to the clipboard.`, count, [
    `count ${unit}s`,
    `(count|get|give me|tell me|show [me]|what is|what's) [the|all [the]|how many|[the] number of] ${words} [count] <from>`,
    `how many ${words} [(is|are|are in|are there in|does|do|has|have)] [<this>|there|we] [in|have|got] [<this>|here]`,
    `(${words} count <from>|how long is <this> in ${words})`,
  ])
  return { ...rule, target: 'clipboard' as const }
}

export const TIDY_RULES = [
  ending('a period', '(period|full stop|dot)', endWithPeriod),
  ending('a question mark', '(question mark|question)', (text) => endWith(text, '?')),
  ending('an exclamation mark', '(exclamation (mark|point)|bang)', (text) => endWith(text, '!')),
  ending('a comma', 'comma', (text) => endWith(text, ',')),
  ending('a colon', 'colon', (text) => endWith(text, ':')),
  textRule('remove the final mark', 'Removes the punctuation at the end.', removeFinalMark, [
    'remove the trailing period',
    '<remove> the (final|last|trailing|ending) (mark|period|full stop|dot|comma|punctuation [mark]|(question|exclamation) mark) <from>',
    '<remove> the (period|full stop|dot|comma|punctuation) (at|from) the end [of <this>]',
  ]),
  textRule('fix punctuation', 'Repairs spaces, punctuation and capitals.', fixPunctuation, [
    'fix the punctuation',
    '(fix|correct|clean up|tidy [up]|repair) (my|<all>) (punctuation [and (spacing|capitalization)]|spacing and punctuation) <from>',
  ]),
  textRule('fix spacing', 'Repairs the spaces between words and around punctuation.', fixSpacing, [
    'fix the spacing',
    '(fix|correct|clean [up]|tidy [up]|normalize|repair) <all> (spacing|spaces|white~space) <from>',
  ]),
  textRule('collapse spaces', 'Replaces several spaces with one.', collapseSpaces, [
    'remove the extra spaces',
    '(collapse|shorten|reduce|merge) <all> [multiple|double|extra] (spaces|white~space) <from>',
    '<remove> <all> (extra|double|multiple|unnecessary|trailing) (spaces|white~space) <from>',
  ]),
  textRule('remove fillers', 'Removes words such as "um" and "you know".', removeFillers, [
    'remove the filler words',
    '<remove> <all> (fillers|filler words|filler|ums [and (ahs|uhs)]|hesitations|um|uh) <from>',
  ]),
  textRule('clean up', 'Removes fillers and repetitions; repairs punctuation and capitals.', cleanUp, [
    'clean this up',
    '((clean|tidy) [<this>] up|(clean|tidy) up <this>|cleanup)',
  ]),
  ...UNITS.map(counting),
]
