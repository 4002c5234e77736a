// Commands that change the case of letters, and that turn names into identifiers.

import {
  camelCase,
  constantCase,
  dotCase,
  kebabCase,
  pascalCase,
  pathCase,
  slug,
  snakeCase,
} from './code-case.ts'
import {
  capitalizeFirst,
  capitalizeSentences,
  capitalizeWords,
  lowerCase,
  sentenceCase,
  swapCase,
  titleCase,
  upperCase,
} from './letter-case.ts'
import { becoming, type TransformRule, transform } from './rule.ts'

type InLanguage = (text: string, language: string | null) => string

const cased = (name: string, description: string, patterns: string[], change: InLanguage): TransformRule =>
  transform(
    { name, description, example: /^(?:swap|capital)/.test(name) ? name : `make that ${name}`, patterns },
    (text, _params, { language }) => change(text, language),
  )

const UPPER =
  '(upper~case|all~caps|all capitals|capitals|caps|capital letters|all capital letters|block capitals|block letters)'
const LOWER = '(lower~case|all lower~case|small letters|lowercase letters|small case)'

export const CASE_RULES: TransformRule[] = [
  cased(
    'upper case',
    'Every letter large.',
    [
      ...becoming(`[all] ${UPPER} [letters]`),
      'shout (this|that|it)',
      'capitalize (every|each|all [the]) (letter|letters)',
      'capitalise (every|each|all [the]) (letter|letters)',
      `<make> [the] case [of <this>] [to] upper`,
    ],
    upperCase,
  ),
  cased(
    'lower case',
    'Every letter small.',
    [
      ...becoming(LOWER),
      '(remove|no) [the|all] (capitals|capital letters|caps) [from <this>]',
      'uncapitalize [<this>]',
      '<make> [the] case [of <this>] [to] lower',
    ],
    lowerCase,
  ),
  cased(
    'title case',
    'As in a title: words large, small words such as "of" small.',
    [
      ...becoming('(title~case|headline case|title capitalization)'),
      'capitalize (<this> (like|as) a title|as a title|like a title)',
      '<make> <this> a title',
    ],
    titleCase,
  ),
  cased(
    'sentence case',
    'Only the first word of each sentence large.',
    [...becoming('(sentence~case|normal case|sentence capitalization)')],
    sentenceCase,
  ),
  cased(
    'capitalize each word',
    'The first letter of every word large.',
    [
      '(capitalize|capitalise) (each|every|all [the]) (word|words) [in <this>]',
      '(capitalize|capitalise) the first letter (of|in) (each|every) word [in <this>]',
      ...becoming('(capitalized words|start case|proper case)'),
    ],
    capitalizeWords,
  ),
  cased(
    'capitalize sentences',
    'The first letter of every sentence large, nothing else changed.',
    [
      '(capitalize|capitalise) (each|every|all [the]|the) (sentence|sentences) [in <this>]',
      '(capitalize|capitalise) the (start|beginning|first letter|first word) of (each|every) sentence [in <this>]',
    ],
    capitalizeSentences,
  ),
  cased(
    'capitalize',
    'The first letter large, nothing else changed.',
    [
      '(capitalize|capitalise) [<this>]',
      '(capitalize|capitalise) the first (letter|character|word) [(of|in) <this>]',
      '<make> the first (letter|character) [(of|in) <this>] [a] (capital|large|upper~case) [letter]',
      'start (it|this|that) with a capital [letter]',
    ],
    capitalizeFirst,
  ),
  cased(
    'swap case',
    'Large letters small and small ones large.',
    [...becoming('(swapped case|inverted case)'), '(swap|toggle|invert|flip) [the] case [of <this>]'],
    swapCase,
  ),
  cased('snake case', 'snake_case, on every line.', becoming('snake~case'), snakeCase),
  cased('camel case', 'camelCase, on every line.', becoming('(camel~case|lower camel~case)'), camelCase),
  cased(
    'pascal case',
    'PascalCase, on every line.',
    becoming('(pascal~case|upper camel~case|class name)'),
    pascalCase,
  ),
  cased(
    'kebab case',
    'kebab-case, on every line.',
    becoming('(kebab~case|kebap case|dash case|hyphen case|hyphenated case)'),
    kebabCase,
  ),
  cased(
    'constant case',
    'CONSTANT_CASE, on every line.',
    becoming('(constant~case|screaming snake~case|upper snake~case|constant name|macro case)'),
    constantCase,
  ),
  cased('dot case', 'dot.case, on every line.', becoming('dot~case'), dotCase),
  cased('path case', 'path/case, on every line.', becoming('(path case|slash case)'), pathCase),
  cased(
    'slug',
    'A part of a web address: small letters, no accents, hyphens.',
    [...becoming('[url] slug'), 'slugify [<this>]'],
    slug,
  ),
]
