// The spoken names of symbols in an instruction: "comma", "open parenthesis", "double quotes".

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

/** The symbol with this name, in singular or plural; null if there is none. */
export function symbolNamed(name: string): string | null {
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

/** The characters to wrap a text in: a pair of brackets or quotes, or one symbol on both sides. */
export function pairOf(name: string): [string, string] | null {
  const word = name.toLowerCase()
  const pair = Object.hasOwn(PAIRS, word) ? PAIRS[word] : undefined
  if (pair) return pair
  const symbol = symbolNamed(word)
  return symbol === null || symbol.trim() === '' ? null : [symbol, symbol]
}
