import {
  duplicate,
  indentLines,
  joinLines,
  outdentLines,
  prefixLines,
  removeEmptyLines,
  reverseLines,
  reverseText,
  reverseWords,
  sentencePerLine,
  sortLines,
  sortLinesByLength,
  sortLinesByNumber,
  sortLinesDescending,
  splitAt,
  splitLines,
  suffixLines,
  trimLines,
  trimText,
  uniqueLines,
  unwrapLines,
  wordPerLine,
} from './line-order.ts'
import { doubleSpaced } from './lists.ts'
import { LINES, rule, type TransformRule } from './rule.ts'
import { separatorOf, spaced, withGap } from './spoken-values.ts'

const DESCENDING =
  '(descending|in descending order|in reverse [alphabetical] order|reverse alphabetically|backwards|z to a|from z to a|descendingly|in reverse)'
const ASCENDING =
  '(alphabetically|ascending|in alphabetical order|in ascending order|by name|a to z|from a to z|in abc order)'

export const LINE_RULES: TransformRule[] = [
  rule(
    'sort lines descending',
    'Lines from Z to A.',
    [`(sort|order|arrange) ${LINES} ${DESCENDING}`, `(sort|order) ${DESCENDING}`, `reverse sort [${LINES}]`],
    (text, _params, { language }) => sortLinesDescending(text, language),
    'sort these lines descending',
  ),
  rule(
    'sort lines by length',
    'The shortest line first.',
    [`(sort|order|arrange) [${LINES}] by (length|size)`],
    sortLinesByLength,
  ),
  rule(
    'sort lines by number',
    'By the first number in each line.',
    [
      '(sort|order|arrange) [' +
        LINES +
        '] (by number|by numbers|by value|numerically|in numerical order|by amount)',
    ],
    sortLinesByNumber,
  ),
  rule(
    'sort lines',
    'Lines in alphabetical order, 2 before 10.',
    [
      `(sort|order|arrange) ${LINES} [${ASCENDING}]`,
      `(sort|alphabetize|alphabetise) [${LINES}]`,
      `sort ${ASCENDING}`,
      `put ${LINES} in (alphabetical|abc|ascending) order`,
    ],
    (text, _params, { language }) => sortLines(text, language),
    'sort these lines alphabetically',
  ),
  rule(
    'reverse words',
    'The last word first.',
    ['(reverse|flip|invert) [the] (order of [the|these] words|word order|words) [(in|of) <this>]'],
    (text, _params, { language }) => reverseWords(text, language),
  ),
  rule(
    'reverse text',
    'Letter by letter from the end.',
    [
      '(reverse|flip) [the] (letters|characters|text|string) [(in|of) <this>]',
      '(write|spell|put) <this> backwards',
    ],
    reverseText,
  ),
  rule(
    'reverse lines',
    'The last line first.',
    [
      `(reverse|flip|invert) [the order of] (${LINES}|[the] line order|[the] order [of <this>])`,
      'turn <this> upside down',
    ],
    reverseLines,
    'reverse the lines',
  ),
  rule(
    'unique lines',
    'Of equal lines only the first stays.',
    [
      '<remove> [the|all|all the|any] (duplicate|duplicated|repeated|double) (lines|items|entries|rows|names) [from <this>]',
      '<remove> [the|all|all the|any] (duplicates|repetitions|doubles|dupes) [from <this>]',
      `(de~duplicate|dedupe|unique) [${LINES}]`,
      '(keep|leave) only [the] unique (lines|items|entries)',
    ],
    uniqueLines,
    'remove duplicate lines',
  ),

  rule(
    'unwrap lines',
    'Line breaks inside paragraphs go.',
    [
      `(unwrap|reflow) [<this>|${LINES}]`,
      '<remove> [the|all|all the] (hard wraps|soft wraps|line breaks (inside|in|within) [the] paragraphs)',
    ],
    unwrapLines,
  ),
  rule(
    'join lines',
    'All on one line, with spaces.',
    [
      `(join|merge|combine) ${LINES} [together|up]`,
      '<remove> [the|all|all the|any] (line~breaks|line breaks|new~lines|new lines|returns|carriage returns) [from <this>]',
      '<make> [<this>] <into> (one|single) (line|paragraph)',
      '(put|get) <this> on (one|a single) line',
      'one line',
      'single line',
    ],
    (text) => joinLines(text),
    'join the lines',
  ),
  rule(
    'join lines with',
    'All on one line, with a sign or word between.',
    [
      `(join|merge|combine|connect) [${LINES}] [together] (with|by|using) [a|an] {separator}`,
      `(join|separate) ${LINES} with [a|an] {separator} between them`,
    ],
    (text, { separator }) => joinLines(text, spaced(separatorOf(separator))),
    'join the lines with commas',
  ),
  rule(
    'sentence per line',
    'Every sentence on a line of its own.',
    [
      '[<make>|put] [each|every|one|1] sentence [on] [per|each|its own|a new|a|a separate|one] line',
      '(split|break) [<this>] [up] (into|by|at|in) [the|its|separate|individual] sentences',
      'one sentence per line',
      'put (each|every) sentence on (its own|a new|a separate) line',
    ],
    (text, _params, { language }) => sentencePerLine(text, language),
    'one sentence per line',
  ),
  rule(
    'word per line',
    'Every word on a line of its own.',
    [
      'one word per line',
      '(split|break) [<this>] [up] (into|by) [the|separate|individual|single] words',
      'put (each|every) word on (its own|a new|a separate) line',
    ],
    wordPerLine,
  ),
  rule(
    'split lines at',
    'A new line at each place where a sign stands.',
    [
      `(split|break) [${LINES}] [up] (at|by|on|with) [the|each|every|all|a] {separator}`,
      `(split|break) [${LINES}] [up] into lines (at|by|on) [the|each|every|all] {separator}`,
    ],
    (text, { separator }) => splitAt(text, separatorOf(separator)),
    'split this at the commas',
  ),
  rule(
    'split lines',
    'What is enumerated, or else each sentence, on a line of its own.',
    [
      `(split|break) (${LINES}|up) [up] [into [separate|several|multiple|individual|different] lines]`,
      '(split|break) [up] into [separate|several|multiple|individual] lines',
      '<make> [<this>] <into> (separate|multiple|several|individual) lines',
      'put (each|every) item on (its own|a new|a separate) line',
    ],
    (text, _params, { language }) => splitLines(text, language),
    'split this into lines',
  ),
  rule(
    'trim lines',
    'No white space at the ends of the lines.',
    [
      'trim (' + '[the|all [the]|these|every|each] (lines|line|rows)' + ')',
      '(trim|<remove>) [the] (leading and trailing|trailing and leading|trailing|leading) (spaces|space|white~space) (from|of|on) (each|every|the|all) (line|lines)',
    ],
    trimLines,
  ),
  rule(
    'trim',
    'No white space at both ends.',
    [
      'trim [<this>|[the] (white~space|spaces|ends)]',
      '(trim|<remove>) [the] (leading and trailing|trailing and leading|trailing|leading|surrounding) (spaces|space|white~space) [from <this>]',
    ],
    trimText,
  ),
  rule(
    'remove empty lines',
    'Lines without a sign go.',
    ['<remove> [the|all|all the|any] (empty|blank) (lines|line|rows) [from <this>]'],
    removeEmptyLines,
  ),
  rule(
    'double space',
    'An empty line between two.',
    [
      'double~space [<this>]',
      '<make> [<this>] <into> double~spaced',
      '(add|put|insert) [a|an] (blank|empty) (line|lines) (between|after) [each|every|all] [the|these|of] (lines|line|them|items|item)',
      'add (empty|blank) lines',
    ],
    doubleSpaced,
  ),
  rule(
    'indent',
    'Every line two spaces to the right.',
    [
      `indent [${LINES}] [once|more|further|by two spaces|to the right]`,
      'increase [the] (indent|indentation)',
    ],
    (text) => indentLines(text),
  ),
  rule(
    'outdent',
    'Every line two spaces, or a tab, to the left.',
    [
      `(outdent|un~indent|dedent) [${LINES}] [once]`,
      '(decrease|reduce) [the] (indent|indentation)',
      '<remove> [the|one level of] (indent|indentation) [from <this>]',
    ],
    (text) => outdentLines(text),
  ),
  rule(
    'prefix lines',
    'Something at the start of every line.',
    [
      '(add|put|insert) {added} (at|to|in) [the] (start|beginning|front) of (each|every|all [the]) (line|lines)',
      '(start|begin|prefix) (each|every|all [the]) (line|lines) with {added}',
    ],
    (text, { added }) => prefixLines(text, withGap(separatorOf(added))),
    'add a hash to the start of every line',
  ),
  rule(
    'suffix lines',
    'Something at the end of every line.',
    [
      '(add|put|insert) {added} (at|to) [the] end of (each|every|all [the]) (line|lines)',
      'end (each|every|all [the]) (line|lines) with {added}',
    ],
    (text, { added }) => suffixLines(text, separatorOf(added)),
    'add a comma to the end of every line',
  ),
  rule(
    'duplicate',
    'The text twice.',
    ['(duplicate|double|repeat) <this> [once]', 'duplicate'],
    duplicate,
    'duplicate that',
  ),
]
