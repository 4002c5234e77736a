// Commands that name a part of the text by its position: the last two sentences, the first word, line 3.

import { capitalizeFirst, lowerCase, upperCase } from '../letter-case.ts'
import { mapSpans, UNITS, type Unit, unitSpans } from '../text-units.ts'
import { bold } from './format-rules.ts'
import { endingOf } from './lines.ts'
import type { Params } from './pattern.ts'
import { type Apply, type CommandContext, LOWER_CASE, slotRule, type TextEdit, UPPER_CASE } from './rule.ts'
import { numberOf, ordinalOf } from './spoken-values.ts'

/** Returns where the chosen parts start among all parts of the text, and their number. */
type Selecting = (params: Params, length: number) => { start: number; count: number }

const first: Selecting = ({ n }) => ({ start: 0, count: numberOf(n) })
const last: Selecting = ({ n }, length) => ({ start: length - numberOf(n), count: numberOf(n) })
const atPlace: Selecting = ({ n, place }, length) => {
  const position = place === undefined ? numberOf(n) : ordinalOf(place)
  return { start: position < 0 ? length + position : position - 1, count: 1 }
}

/** Null if the text has fewer parts. */
function choose(text: string, params: Params, { language }: CommandContext, select: Selecting) {
  const unit = unitOf(params.unit ?? params.block)
  const spans = unitSpans(text, unit, language)
  const { start, count } = select(params, spans.length)
  const chosen = spans.slice(start, start + count)
  const [head, tail] = [chosen[0], chosen.at(-1)]
  if (start < 0 || head === undefined || tail === undefined || chosen.length < count) return null
  return { unit, chosen, from: head.from, to: tail.to, before: spans[start - 1], next: spans[start + count] }
}

/** People say "letters" for characters. */
function unitOf(spoken = 'word'): Unit {
  const word = spoken.toLowerCase().replace(/s$/u, '').replace('letter', 'character')
  return UNITS.find((unit) => unit === word) ?? 'word'
}

const deleting =
  (select: Selecting): Apply =>
  (text, params, context) => {
    const found = choose(text, params, context, select)
    return found && deleteParts(text, found)
  }

/** Also deletes the separators next to the parts; keeps the outer white space. */
function deleteParts(text: string, { unit, from, to, before, next }: NonNullable<ReturnType<typeof choose>>) {
  const isWord = unit === 'word'
  if (unit === 'character') return cut(text, from, to)
  if (next !== undefined && isWord)
    return cut(text, openingBefore(text, from), openingBefore(text, next.from))
  if (next !== undefined) return cut(text, from, next.from)
  const end = text.trimEnd().length
  if (before === undefined) return text.slice(end)
  if (!isWord) return cut(text, before.to, end)
  const start = closingAfter(text, before.to)
  return cut(text, start, end - finalPunctuation(text.slice(start, end)))
}

const cut = (text: string, from: number, to: number): string => text.slice(0, from) + text.slice(to)

/** A word includes the quotes and brackets that open before it. */
const openingBefore = (text: string, at: number): number =>
  at - endingOf(text.slice(0, at), /[("“„«[{'‘]/u).length

/** After the last kept word, closing quotes, brackets and sentence punctuation stay; a comma does not. */
const closingAfter = (text: string, at: number): number =>
  at + (/^[)"”»\]}.!?]*/u.exec(text.slice(at))?.[0].length ?? 0)

/** Length of the final punctuation to keep; excludes brackets and quotes that opened within the removed part. */
function finalPunctuation(removed: string): number {
  const closing = endingOf(removed, /[.!?…。！？"”»)\]]/u).length
  const opened = /["“„«([]/u.test(removed.slice(0, removed.length - closing))
  return opened ? endingOf(removed, /[.!?…。！？]/u).length : closing
}

const changing =
  (change: TextEdit): Apply =>
  (text, params, context) => {
    const found = choose(text, params, context, atPlace)
    return found && mapSpans(text, found.chosen, (part) => change(part, context.language))
  }

const styling = (name: string, words: string, change: TextEdit) =>
  slotRule(`${name} part`, `Makes one word, sentence, line or paragraph ${name}.`, changing(change), [
    `make the first word ${name}`,
    `<make> the {place} {unit} <into> ${words}`,
    `${words} the {place} {unit}`,
  ])

export const POSITION_RULES = [
  slotRule('delete last', 'Deletes the last words, sentences, lines or paragraphs.', deleting(last), [
    'delete the last two sentences',
    '<remove> [the] last [{n}] {unit} <from>',
  ]),
  slotRule('delete first', 'Deletes the first words, sentences, lines or paragraphs.', deleting(first), [
    'remove the first word',
    '<remove> [the] first [{n}] {unit} <from>',
  ]),
  slotRule('delete at', 'Deletes one word, sentence, line or paragraph.', deleting(atPlace), [
    'delete the third line',
    '<remove> [the] {place} {unit} <from>',
    '<remove> [the] {block} [number] {n} <from>',
  ]),
  slotRule('capitalize part', 'Capitalizes one word, sentence or line.', changing(capitalizeFirst), [
    'capitalize the second word',
    '(capitalize|capitalise) the {place} {unit} <from>',
  ]),
  styling('upper case', UPPER_CASE, upperCase),
  styling('lower case', LOWER_CASE, lowerCase),
  styling('bold', 'bold', bold),
]
