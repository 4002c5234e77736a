// Commands that name a part of the text by its position: the last two sentences, the first word, line 3.

import { capitalizeFirst, lowerCase, upperCase } from './letter-case.ts'
import { bold } from './markdown.ts'
import { numberOf, ordinalOf } from './numerals.ts'
import { changeParts, deleteParts, keepParts, moveParts, type PartSelection, type Parts } from './parts.ts'
import type { Params } from './pattern.ts'
import { type Apply, type CommandContext, LOWER_CASE, rule, type TransformRule, UPPER_CASE } from './rule.ts'
import { unitOf } from './segments.ts'
import { wrap } from './wrapping.ts'

const partsOf = ({ unit = 'word' }: Params, { language }: CommandContext): Parts => ({
  unit: unitOf(unit),
  language,
})

const edge =
  (side: 'first' | 'last') =>
  ({ n }: Params): PartSelection => ({ edge: side, count: numberOf(n) })

const atPlace = ({ place, n }: Params): PartSelection => ({
  place: place === undefined ? numberOf(n) : ordinalOf(place),
})

const deleting =
  (which: (params: Params) => PartSelection): Apply =>
  (text, params, context) =>
    deleteParts(text, which(params), partsOf(params, context))

const keeping =
  (which: (params: Params) => PartSelection): Apply =>
  (text, params, context) =>
    keepParts(text, which(params), partsOf(params, context))

const moving =
  (which: (params: Params) => PartSelection, end: 'start' | 'end'): Apply =>
  (text, params, context) =>
    moveParts(text, which(params), end, partsOf(params, context))

const FROM = '[(of|from|in) <this>]'
const TO_START = 'to the (start|beginning|top|front)'
const TO_END = 'to the (end|bottom|back)'

const changingPart =
  (change: (piece: string, language: string | null) => string, which = atPlace): Apply =>
  (text, params, context) =>
    changeParts(text, which(params), partsOf(params, context), (piece) => change(piece, context.language))

export const PART_RULES: TransformRule[] = [
  rule(
    'delete last',
    'The last words, sentences, lines or paragraphs go.',
    [`<remove> [the] last <unit> ${FROM}`, `<remove> [the] last {n} <unit> ${FROM}`],
    deleting(edge('last')),
    'delete the last two sentences',
  ),
  rule(
    'delete first',
    'The first words, sentences, lines or paragraphs go.',
    [`<remove> [the] first <unit> ${FROM}`, `<remove> [the] first {n} <unit> ${FROM}`],
    deleting(edge('first')),
    'remove the first word',
  ),
  rule(
    'delete at',
    'The word, sentence, line or paragraph at a place goes.',
    [
      `<remove> [the] {place} <unit> ${FROM}`,
      `<remove> [the] (?<unit>lines?|paragraphs?|sentences?) [number] {n} ${FROM}`,
    ],
    deleting(atPlace),
    'delete the third line',
  ),
  rule(
    'keep last',
    'Only the last words, sentences, lines or paragraphs stay.',
    [
      `(keep|leave) only the last [{n}] <unit> ${FROM}`,
      `only (keep|leave) the last [{n}] <unit> ${FROM}`,
      `(keep|leave) the last [{n}] <unit> only ${FROM}`,
      `<remove> everything (but|except) the last [{n}] <unit>`,
    ],
    keeping(edge('last')),
    'keep only the last sentence',
  ),
  rule(
    'keep first',
    'Only the first words, sentences, lines or paragraphs stay.',
    [
      `(keep|leave) only the first [{n}] <unit> ${FROM}`,
      `only (keep|leave) the first [{n}] <unit> ${FROM}`,
      `(keep|leave) the first [{n}] <unit> only ${FROM}`,
      `<remove> everything (but|except) the first [{n}] <unit>`,
      `(cut|shorten|truncate) <this> (to|after) [the first] {n} <unit>`,
    ],
    keeping(edge('first')),
    'keep only the first paragraph',
  ),
  rule(
    'move last',
    'The last part comes first.',
    [`move the last [{n}] <unit> ${TO_START}`],
    moving(edge('last'), 'start'),
    'move the last sentence to the beginning',
  ),
  rule(
    'move first',
    'The first part comes last.',
    [`move the first [{n}] <unit> ${TO_END}`],
    moving(edge('first'), 'end'),
    'move the first line to the end',
  ),
  rule(
    'move to the start',
    'A part comes first.',
    [`move the {place} <unit> ${TO_START}`],
    moving(atPlace, 'start'),
    'move the third line to the top',
  ),
  rule(
    'move to the end',
    'A part comes last.',
    [`move the {place} <unit> ${TO_END}`],
    moving(atPlace, 'end'),
    'move the second line to the bottom',
  ),
  rule(
    'capitalize part',
    'The part at a place begins with a large letter.',
    [`(capitalize|capitalise) the {place} <unit> ${FROM}`],
    changingPart(capitalizeFirst),
    'capitalize the second word',
  ),
  rule(
    'upper case part',
    'The part at a place in capitals.',
    [`(<make>) the {place} <unit> <into> ${UPPER_CASE}`, `${UPPER_CASE} the {place} <unit>`],
    changingPart(upperCase),
    'make the first word upper case',
  ),
  rule(
    'lower case part',
    'The part at a place in small letters.',
    [`(<make>) the {place} <unit> <into> ${LOWER_CASE}`, `${LOWER_CASE} the {place} <unit>`],
    changingPart(lowerCase),
    'make the first word lower case',
  ),
  rule(
    'bold part',
    'The part at a place in bold.',
    ['<make> the {place} <unit> bold', 'bold the {place} <unit>'],
    changingPart((piece) => bold(piece)),
    'make the first word bold',
  ),
  rule(
    'quote part',
    'The part at a place in quotes.',
    ['<put> the {place} <unit> (in|into|with) (quotes|quotation marks)', 'quote the {place} <unit>'],
    changingPart((piece) => wrap(piece, ['"', '"'])),
    'put the last word in quotes',
  ),
]
