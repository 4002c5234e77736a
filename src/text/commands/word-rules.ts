// Commands that name a part of the text by its words: replace Monday, delete every "maybe", insert before "but".

import { capitalizeFirst, lowerCase, upperCase } from '../letter-case.ts'
import {
  append,
  changeAll,
  insertAfter,
  insertBefore,
  prepend,
  removeAll,
  replaceAll,
} from './find-replace.ts'
import { bold, inlineCode, inQuotes, italic } from './format-rules.ts'
import { type Apply, LOWER_CASE, slotRule, type TextEdit, UPPER_CASE } from './rule.ts'
import {
  addedOf,
  isQuoted,
  namedIn,
  readingsOfReplacement,
  replacementOf,
  slotValue,
} from './spoken-values.ts'

const replacing: Apply = (text, { from = '', to = '' }) => {
  const target = to.replace(/ (?:everywhere|throughout|in (?:the|this) text)$/iu, '')
  for (const [wanted, by] of readingsOfReplacement(from, target)) {
    const found = namedIn(text, wanted)
    if (found === null) continue
    const isSymbol = found !== slotValue(wanted) || /^\W$/u.test(found)
    return replaceAll(text, found, replacementOf(by, isSymbol))
  }
  return null
}

const removing: Apply = (text, { what = '' }) => {
  const found = namedIn(text, what)
  return found === null ? null : removeAll(text, found)
}

const changing =
  (change: TextEdit): Apply =>
  (text, { what = '' }, { language }) =>
    changeAll(text, slotValue(what), (found) => change(found, language))

const inserting =
  (insert: (text: string, anchor: string, added: string) => string | null): Apply =>
  (text, { added, anchor = '' }) => {
    const found = namedIn(text, anchor.replace(/^the (?:word|words) /iu, ''))
    return found === null ? null : insert(text, found, addedOf(added))
  }

/** An added text that starts a new sentence gets a capital. */
const appending: Apply = (text, { added = '' }) => {
  const startsSentence = !isQuoted(added) && /[.!?]["”'’)]*$/u.test(text.trimEnd().slice(-3))
  return append(text, startsSentence ? capitalizeFirst(addedOf(added)) : addedOf(added))
}

const EVERY =
  '[(the (word|words|phrase|name)|every|each|all|all the|any|(every instance|all instances|every occurrence|all occurrences) of)]'
const WORDS = '[the (word|words)] {what}'

const styleWords = (name: string, example: string, words: string, change: TextEdit) =>
  slotRule(`${name} words`, `Makes the words that you name ${name}.`, changing(change), [
    example,
    `<make> ${WORDS} <into> ${words}`,
    `${words} ${WORDS}`,
  ])

export const WORD_RULES = [
  slotRule('replace', 'Replaces words or symbols with others, everywhere.', replacing, [
    'replace Monday with Tuesday',
    `(replace|substitute|swap [out]|exchange) ${EVERY} {from} (with|by|for) [(the (word|words|phrase|name))] {to}`,
    `(change|turn|correct|rename|switch) ${EVERY} {from} (to|into) [(the (word|words|phrase|name))] {to}`,
    '(make|write|say|put|use) {to} instead of {from}',
  ]),
  slotRule('insert before', 'Inserts words or symbols before those that you name.', inserting(insertBefore), [
    'insert not before ready',
    '(insert|add|put|place|write) {added} [right|directly|just] (before|in front of) {anchor}',
  ]),
  slotRule('insert after', 'Inserts words or symbols after those that you name.', inserting(insertAfter), [
    'insert please after call',
    '(insert|add|put|place|write) {added} [right|directly|just] (after|behind) {anchor}',
  ]),
  slotRule('append', 'Adds words at the end.', appending, [
    'add thank you at the end',
    '(add|append|put|insert|write) {added} (at|to|on) the (end|bottom) [of <this>]',
    '(append {added}|end <this> with {added})',
  ]),
  slotRule('prepend', 'Adds words at the start.', (text, { added }) => prepend(text, addedOf(added)), [
    'add dear Anna at the beginning',
    '(add|prepend|put|insert|write) {added} (at|to|in) the (start|beginning|front|top) [of <this>]',
    '(prepend {added}|(start|begin) <this> with {added})',
  ]),
  styleWords('upper case', 'make urgent upper case', UPPER_CASE, upperCase),
  styleWords('lower case', 'make Internet lower case', LOWER_CASE, lowerCase),
  slotRule('capitalize words', 'Capitalizes the words that you name.', changing(capitalizeFirst), [
    'capitalize monday',
    '(capitalize|capitalise) [the (word|words|name)|every|all] {what}',
  ]),
  styleWords('bold', 'make urgent bold', 'bold', bold),
  styleWords('italic', 'make maybe italic', '(italic|italics|italicize)', italic),
  slotRule('code words', 'Puts backticks around the words that you name.', changing(inlineCode), [
    'put npm install in backticks',
    `<put> ${WORDS} (in|into|with) backticks`,
    `<make> ${WORDS} [inline] code`,
  ]),
  slotRule('quote words', 'Puts quotes around the words that you name.', changing(inQuotes), [
    'put quotes around maybe',
    `<put> ${WORDS} (in|into|with) (quotes|quotation marks)`,
    `((put|add) quotes around|quote) ${WORDS}`,
  ]),
  slotRule('delete words', 'Deletes words or symbols, everywhere.', removing, [
    'delete every maybe',
    `<remove> (${EVERY}|the) {what} [(from|in) <this>]`,
  ]),
]
