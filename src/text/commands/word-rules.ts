// Commands that name a part of the text by its words: replace Monday, delete every "maybe", insert before "but".

import {
  append,
  insertBeside,
  type Occurrence,
  prepend,
  removeAll,
  replaceAll,
  swap,
} from './find-replace.ts'
import { capitalizeFirst, lowerCase, upperCase } from './letter-case.ts'
import { bold, inlineCode, italic } from './markdown.ts'
import { type Apply, LOWER_CASE, rule, type TransformRule, UPPER_CASE } from './rule.ts'
import { addedOf, namedIn, readingsOfReplacement, replacementOf, singularIn } from './spoken-values.ts'
import { isQuoted, slotValue } from './utterance.ts'
import { wrap } from './wrapping.ts'

const replacing =
  (occurrence: Occurrence): Apply =>
  (text, { from = '', to = '' }) => {
    for (const [wanted, by] of readingsOfReplacement(from, to)) {
      const found = namedIn(text, wanted)
      if (found === null) continue
      const isSign = found !== slotValue(wanted)
      return replaceAll(text, found, replacementOf(by, isSign || /^\W$/u.test(found)), occurrence)
    }
    return null
  }

const removing =
  (occurrence: Occurrence): Apply =>
  (text, { what = '' }) => {
    const found = namedIn(text, what) ?? singularIn(text, what)
    return found === null ? null : removeAll(text, found, occurrence)
  }

const changing =
  (change: (piece: string, language: string | null) => string): Apply =>
  (text, { what = '' }, { language }) => {
    const value = slotValue(what)
    return value === '' ? null : replaceAll(text, value, (found) => change(found, language))
  }

const inserting =
  (side: 'before' | 'after'): Apply =>
  (text, { added, anchor = '' }) => {
    const found = namedIn(text, anchor.replace(/^the (?:word|words) /iu, ''))
    return found === null ? null : insertBeside(text, { added: addedOf(added), anchor: found, side })
  }

/** Capitalizes an added text that starts a new sentence. */
function asSentence(text: string, spoken = ''): string {
  const added = addedOf(spoken)
  return !isQuoted(spoken) && /[.!?]["”'’)]*$/u.test(text.trimEnd().slice(-3))
    ? capitalizeFirst(added)
    : added
}

export const WORD_RULES: TransformRule[] = [
  rule(
    'replace first',
    'What stands there the first time becomes something else.',
    [
      '(replace|change|swap|switch) the first [occurrence of|instance of] {from} (with|by|to|into|for) {to}',
      '(replace|change) {from} (with|by|to) {to} (once|only once|the first time)',
    ],
    replacing('first'),
    'replace the first Monday with Tuesday',
  ),
  rule(
    'replace last',
    'What stands there the last time becomes something else.',
    ['(replace|change|swap|switch) the last [occurrence of|instance of] {from} (with|by|to|into|for) {to}'],
    replacing('last'),
    'replace the last Monday with Tuesday',
  ),
  rule(
    'replace',
    'Something becomes something else, wherever it stands.',
    [
      '(replace|substitute|swap [out]|exchange) [(the (word|words|phrase|name)|every|each|all|all the|any|every instance of|all occurrences of|all instances of|every occurrence of)] {from} (with|by|for) [(the (word|words|phrase|name))] {to}',
      '(change|turn|correct|rename|switch) [(the (word|words|phrase|name)|every|each|all|all the|any|every instance of|all occurrences of|all instances of|every occurrence of)] {from} (to|into) [(the (word|words|phrase|name))] {to}',
      '(make|write|say|put|use) {to} instead of {from}',
    ],
    (text, params, context) =>
      replacing('all')(
        text,
        {
          ...params,
          to: (params.to ?? '').replace(/ (?:everywhere|throughout|in (?:the|this) text)$/iu, ''),
        },
        context,
      ),
    'replace Monday with Tuesday',
  ),
  rule(
    'swap',
    'Two things change places.',
    ['(swap|exchange|switch|flip) [the words] {one} and {other} [around]'],
    (text, { one = '', other = '' }) => swap(text, slotValue(one), slotValue(other)),
    'swap red and blue',
  ),
  rule(
    'insert before',
    'Something new before something that is there.',
    ['(insert|add|put|place|write) {added} [right|directly|just] (before|in front of) {anchor}'],
    inserting('before'),
    'insert not before ready',
  ),
  rule(
    'insert after',
    'Something new after something that is there.',
    ['(insert|add|put|place|write) {added} [right|directly|just] (after|behind) {anchor}'],
    inserting('after'),
    'insert please after call',
  ),
  rule(
    'append',
    'Something new at the end.',
    [
      '(add|append|put|insert|write) {added} (at|to|on) the (end|bottom) [of <this>]',
      'append {added}',
      'end <this> with {added}',
    ],
    (text, { added }) => append(text, asSentence(text, added)),
    'add thank you at the end',
  ),
  rule(
    'prepend',
    'Something new at the start.',
    [
      '(add|prepend|put|insert|write) {added} (at|to|in) the (start|beginning|front|top) [of <this>]',
      'prepend {added}',
      '(start|begin) <this> with {added}',
    ],
    (text, { added }) => prepend(text, addedOf(added)),
    'add dear Anna at the beginning',
  ),
  rule(
    'upper case words',
    'What is named in capitals.',
    [`<make> [the (word|words)] {what} <into> ${UPPER_CASE}`, `${UPPER_CASE} [the (word|words)] {what}`],
    changing(upperCase),
    'make urgent upper case',
  ),
  rule(
    'lower case words',
    'What is named in small letters.',
    [`<make> [the (word|words)] {what} <into> ${LOWER_CASE}`, `${LOWER_CASE} [the (word|words)] {what}`],
    changing(lowerCase),
    'make Internet lower case',
  ),
  rule(
    'capitalize words',
    'What is named begins with a large letter.',
    ['(capitalize|capitalise) [the (word|words|name)|every|all] {what}'],
    changing(capitalizeFirst),
    'capitalize monday',
  ),
  rule(
    'bold words',
    'What is named in bold.',
    ['<make> [the (word|words)] {what} bold', 'bold [the (word|words)] {what}'],
    changing((found) => bold(found)),
    'make urgent bold',
  ),
  rule(
    'italic words',
    'What is named in italics.',
    ['<make> [the (word|words)] {what} (italic|italics)', 'italicize [the (word|words)] {what}'],
    changing((found) => italic(found)),
    'make maybe italic',
  ),
  rule(
    'code words',
    'What is named in backticks.',
    [
      '<put> [the (word|words)] {what} (in|into|with) backticks',
      '<make> [the (word|words)] {what} [inline] code',
    ],
    changing((found) => inlineCode(found)),
    'put npm install in backticks',
  ),
  rule(
    'quote words',
    'What is named in quotes.',
    [
      '<put> [the (word|words)] {what} (in|into|with) (quotes|quotation marks)',
      '(put|add) quotes around [the (word|words)] {what}',
      'quote [the (word|words)] {what}',
    ],
    changing((found) => wrap(found, ['"', '"'])),
    'put quotes around maybe',
  ),
  rule(
    'delete first occurrence',
    'What is named goes, the first time.',
    ['<remove> the first [occurrence of|instance of] {what}'],
    removing('first'),
    'remove the first really',
  ),
  rule(
    'delete last occurrence',
    'What is named goes, the last time.',
    ['<remove> the last [occurrence of|instance of] {what}'],
    removing('last'),
    'remove the last really',
  ),
  rule(
    'delete words',
    'What is named goes, wherever it stands.',
    [
      `<remove> [(the (word|words|phrase|name)|every|each|all|all the|any|the|every instance of|all occurrences of|all instances of|every occurrence of)] {what} [(from|in) <this>]`,
    ],
    removing('all'),
    'delete every maybe',
  ),
]
