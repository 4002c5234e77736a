// Commands that change the case of letters, and that turn names into identifiers.

import {
  capitalizeFirst,
  capitalizeSentences,
  capitalizeWords,
  lowerCase,
  sentenceCase,
  titleCase,
  upperCase,
} from '../letter-case.ts'
import { mapEachLine } from './lines.ts'
import { becoming, LOWER_CASE, textRule, UPPER_CASE } from './rule.ts'

const lower = (word: string): string => lowerCase(word)
const capital = (word: string): string => upperCase(word.slice(0, 1)) + lowerCase(word.slice(1))

/** Changes every line, so a list of names becomes a list of identifiers; keeps lines without letters or digits. */
const identifiers = (assemble: (words: string[]) => string) => (text: string) =>
  mapEachLine(text, (line) => {
    const words = partsOf(line)
    return words.length === 0 ? line : line.slice(0, line.search(/\S/u)) + assemble(words)
  })

/** "user's HTTPServer-name 2" splits into users, HTTP, Server, name, 2. */
function partsOf(line: string): string[] {
  const spaced = line
    .replace(/(?<=\p{L})['’](?=\p{L})/gu, '')
    .replace(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{N})(?=\p{Lu}\p{Ll})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' ')
  return spaced.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
}

const snakeCase = identifiers((words) => words.map(lower).join('_'))
const kebabCase = identifiers((words) => words.map(lower).join('-'))
const pascalCase = identifiers((words) => words.map(capital).join(''))
const camelCase = identifiers(([first = '', ...rest]) => lower(first) + rest.map(capital).join(''))

export const CASE_RULES = [
  textRule('upper case', 'Changes all letters to capitals.', upperCase, [
    'make that upper case',
    ...becoming(`[all] (${UPPER_CASE}|caps|block capitals|block letters) [letters]`),
    '(capitalize|capitalise) (every|each|all [the]) (letter|letters)',
  ]),
  textRule('lower case', 'Changes all letters to lowercase.', lowerCase, [
    'make that lower case',
    ...becoming(`[all] (${LOWER_CASE}|lowercase letters)`),
    '(remove|no) <all> (capitals|capital letters|caps) <from>',
  ]),
  textRule('title case', 'Capitalizes the words of a title, except short words such as "of".', titleCase, [
    'make that title case',
    ...becoming('(title~case|headline case)'),
    '(capitalize [<this>] (like|as) a title|<make> <this> a title)',
  ]),
  textRule('sentence case', 'Capitalizes the first word of each sentence.', sentenceCase, [
    'make that sentence case',
    ...becoming('(sentence~case|normal case)'),
  ]),
  textRule('capitalize each word', 'Capitalizes the first letter of every word.', capitalizeWords, [
    'capitalize each word',
    '(capitalize|capitalise) [the first letter (of|in)] (each|every|all [the]) (word|words) [in <this>]',
  ]),
  textRule('capitalize sentences', 'Capitalizes the first letter of every sentence.', capitalizeSentences, [
    'capitalize sentences',
    '(capitalize|capitalise) [the (start|beginning|first letter|first word) of] <all> (sentence|sentences) <from>',
  ]),
  textRule('capitalize', 'Capitalizes the first letter of the text.', capitalizeFirst, [
    'capitalize',
    '(capitalize|capitalise) [<this>|the first (letter|character|word) <from>]',
    '(<make> the first (letter|character) <from> [a] (capital|upper~case)|start <this> with a capital) [letter]',
  ]),
  textRule('snake case', 'Changes each line to snake_case.', snakeCase, [
    'make that snake case',
    ...becoming('snake~case'),
  ]),
  textRule('camel case', 'Changes each line to camelCase.', camelCase, [
    'make that camel case',
    ...becoming('[lower] camel~case'),
  ]),
  textRule('pascal case', 'Changes each line to PascalCase.', pascalCase, [
    'make that pascal case',
    ...becoming('(pascal~case|upper camel~case)'),
  ]),
  textRule('kebab case', 'Changes each line to kebab-case.', kebabCase, [
    'make that kebab case',
    ...becoming('(kebab~case|dash case|hyphen case)'),
  ]),
]
