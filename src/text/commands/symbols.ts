// What signs are called when they are spoken: "comma", "open parenthesis", "double quotes".
// Only for naming signs in an instruction; dictated punctuation is the refinement's.

const SIGNS: Record<string, string> = {
  comma: ',',
  period: '.',
  'full stop': '.',
  dot: '.',
  'question mark': '?',
  'exclamation mark': '!',
  'exclamation point': '!',
  colon: ':',
  semicolon: ';',
  'semi-colon': ';',
  dash: '-',
  hyphen: '-',
  minus: '-',
  'minus sign': '-',
  'em dash': '—',
  'en dash': '–',
  slash: '/',
  'forward slash': '/',
  backslash: '\\',
  underscore: '_',
  asterisk: '*',
  star: '*',
  hash: '#',
  'hash sign': '#',
  'pound sign': '#',
  'at sign': '@',
  ampersand: '&',
  'percent sign': '%',
  'dollar sign': '$',
  'euro sign': '€',
  'plus sign': '+',
  'equals sign': '=',
  tilde: '~',
  caret: '^',
  pipe: '|',
  'vertical bar': '|',
  apostrophe: "'",
  'single quote': "'",
  'quotation mark': '"',
  'double quote': '"',
  'quote mark': '"',
  backtick: '`',
  space: ' ',
  tab: '\t',
  ellipsis: '…',
  bullet: '•',
  'line break': '\n',
  newline: '\n',
  'new line': '\n',
}

/** The sign that a name stands for, in singular or plural; null where it names none. */
export function signOf(name: string): string | null {
  const word = name.toLowerCase().replace(/^(?:a|an|the) /u, '')
  return own(word) ?? own(word.replace(/e?s$/u, '')) ?? own(word.replace(/s$/u, ''))
}

const own = (name: string): string | null => (Object.hasOwn(SIGNS, name) ? (SIGNS[name] ?? null) : null)

const PAIRS: Record<string, [string, string]> = {
  quotes: ['"', '"'],
  'quotation marks': ['"', '"'],
  'quote marks': ['"', '"'],
  'double quotes': ['"', '"'],
  'inverted commas': ['"', '"'],
  'speech marks': ['"', '"'],
  'single quotes': ["'", "'"],
  'curly quotes': ['“', '”'],
  'smart quotes': ['“', '”'],
  guillemets: ['«', '»'],
  parentheses: ['(', ')'],
  parenthesis: ['(', ')'],
  parens: ['(', ')'],
  'round brackets': ['(', ')'],
  brackets: ['[', ']'],
  'square brackets': ['[', ']'],
  braces: ['{', '}'],
  'curly braces': ['{', '}'],
  'curly brackets': ['{', '}'],
  'angle brackets': ['<', '>'],
}

/** What a text is put between: a pair of brackets or quotes, or one sign on both sides. */
export function pairOf(name: string): [string, string] | null {
  const word = name.toLowerCase()
  const pair = Object.hasOwn(PAIRS, word) ? PAIRS[word] : undefined
  if (pair) return pair
  const sign = signOf(word)
  return sign === null || sign.trim() === '' ? null : [sign, sign]
}
