// Commands that clean a text, and that count its parts.

import { digitsToWords } from '../numbers/digits-to-words.ts'
import { wordsToDigits } from '../numbers/words-to-digits.ts'
import { cleanUp, removeFillers } from './cleaning.ts'
import { countOf, readingTime } from './counts.ts'
import { becoming, rule, type TransformRule } from './rule.ts'
import { UNITS, type Unit } from './segments.ts'
import {
  collapseSpaces,
  fixPunctuation,
  fixSpacing,
  removeAccents,
  removeEmoji,
  removeNumbers,
  removePunctuation,
} from './tidy.ts'

/** A transform that only needs the text and its language. */
const tidying = (
  name: string,
  description: string,
  patterns: string[],
  change: (text: string, language: string | null) => string,
  example = name,
): TransformRule =>
  rule(name, description, patterns, (text, _params, { language }) => change(text, language), example)

const SPOKEN_UNITS: Record<Unit, string> = {
  character: '(character|characters|letter|letters)',
  word: '(word|words)',
  sentence: '(sentence|sentences)',
  line: '(line|lines)',
  paragraph: '(paragraph|paragraphs)',
}

const counting = (unit: Unit): TransformRule => ({
  ...tidying(
    `count ${unit}s`,
    `Says how many ${unit}s there are; the text stays.`,
    [
      `(count|give me|tell me|get|show [me]|what is|what's) [the|all [the]|how many|number of|the number of] ${SPOKEN_UNITS[unit]} [(in|of) <this>]`,
      `(what is|what's|get|show|show me|tell me|give me) the ${SPOKEN_UNITS[unit]} count [(of|in) <this>]`,
      `how many ${SPOKEN_UNITS[unit]} (is|are|are in|are there in|does|do|has|have) [<this>|there|we] [in|have|got] [<this>|here]`,
      `how many ${SPOKEN_UNITS[unit]}`,
      `${SPOKEN_UNITS[unit]} count [(of|in) <this>]`,
      `how long is <this> in ${SPOKEN_UNITS[unit]}`,
    ],
    (text, language) => countOf(text, unit, language),
  ),
  target: 'clipboard',
})

export const TIDY_RULES: TransformRule[] = [
  tidying(
    'remove fillers',
    'Sounds of thinking and empty words go: um, you know.',
    [
      '<remove> [the|all|all the|any] (fillers|filler words|filler|ums|ums and ahs|ums and uhs|uhs and ums|hesitations|um|uh) [(from|in) <this>]',
      '(no|without) (fillers|filler words)',
    ],
    removeFillers,
    'remove the filler words',
  ),
  tidying(
    'clean up',
    'As speech is refined: no fillers, stutters and loops, with marks and capitals put right.',
    ['(clean|tidy) [<this>] up', '(clean|tidy) up <this>', 'cleanup'],
    cleanUp,
    'clean this up',
  ),
  tidying(
    'fix spacing',
    'One space after marks, none before, no runs of spaces.',
    [
      '(fix|correct|clean up|clean|tidy [up]|normalize|repair) [the|all [the]] (spacing|spaces|white~space) [(in|of) <this>]',
      'fix spacing',
    ],
    fixSpacing,
    'fix the spacing',
  ),
  tidying(
    'collapse spaces',
    'Runs of spaces become one.',
    [
      '(collapse|shorten|reduce|squeeze|merge) [the|all [the]|multiple|double|extra] (spaces|white~space) [(in|of) <this>]',
      '<remove> [the|all|all the|any] (extra|double|multiple|redundant|unnecessary|superfluous|additional) (spaces|white~space|blanks) [(from|in) <this>]',
    ],
    collapseSpaces,
    'remove the extra spaces',
  ),
  tidying(
    'fix punctuation',
    'Spacing, doubled marks, large letters at the start of sentences, a mark at the end.',
    [
      '(fix|correct|clean up|tidy [up]|repair) [the|my|all [the]] (punctuation|punctuation and spacing|spacing and punctuation|punctuation and capitalization) [(in|of) <this>]',
    ],
    fixPunctuation,
    'fix the punctuation',
  ),
  tidying(
    'remove punctuation',
    'No punctuation, except inside words and numbers.',
    [
      '<remove> [the|all|all the|any|all of the] (punctuation|punctuation marks) [(from|in) <this>]',
      '(no|without) punctuation',
    ],
    removePunctuation,
    'remove all punctuation',
  ),
  tidying(
    'remove emoji',
    'No emoji.',
    ['<remove> [the|all|all the|any] (emoji|emojis|smileys|emoticons) [(from|in) <this>]'],
    removeEmoji,
  ),
  tidying(
    'remove accents',
    'Letters without accents.',
    [
      '<remove> [the|all|all the|any] (accents|diacritics|accent marks|umlauts) [(from|in) <this>]',
      ...becoming('(ascii|plain letters)'),
    ],
    removeAccents,
  ),
  tidying(
    'remove numbers',
    'No digits.',
    ['<remove> [the|all|all the|any] (numbers|digits|numerals) [(from|in) <this>]'],
    removeNumbers,
    'remove all numbers',
  ),
  tidying(
    'numbers as digits',
    'Numbers that are written as words become digits.',
    [
      '(<make>|use) [the|all|all the|all of the] (numbers|number words) [in <this>] [(to|into|as|in|with|using)] (digits|numerals|figures|numbers)',
      '(write|show|put|use|convert [<this>] to|convert [the|all] words to) (digits|numerals|figures)',
      'numbers (as|to) (digits|numerals|figures)',
    ],
    (text, language) => wordsToDigits(text, language ?? 'en'),
    'write the numbers as digits',
  ),
  tidying(
    'numbers as words',
    'Numbers that are written in digits become words.',
    [
      '(<make>|use) [the|all|all the|all of the] (numbers|digits|numerals|figures) [in <this>] [(to|into|as|in|with|using|out as)] words',
      'spell [out] [the|all|all the|all of the] (numbers|digits|numerals|figures) [out] [in <this>] [as words]',
      'numbers (as|to) words',
    ],
    (text, language) => digitsToWords(text, language ?? 'en'),
    'spell out the numbers',
  ),
  ...UNITS.map(counting),
  {
    ...tidying(
      'reading time',
      'Says how long reading takes; the text stays.',
      [
        "(what is|what's|give me|show me|tell me) the reading time [(of|for) <this>]",
        'reading time',
        'how long does it take to read (this|that|it|the text)',
      ],
      readingTime,
      'how long does it take to read this',
    ),
    target: 'clipboard',
  },
]
