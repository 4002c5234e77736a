// Which scripts a text is written in, and whether another text is written in the same.
// Two languages of one script are told apart by their words (word-rules.ts).

const SCRIPTS = [
  ...[
    'Latin',
    'Cyrillic',
    'Greek',
    'Arabic',
    'Hebrew',
    'Devanagari',
    'Bengali',
    'Tamil',
    'Telugu',
    'Gujarati',
  ],
  ...[
    'Kannada',
    'Malayalam',
    'Gurmukhi',
    'Sinhala',
    'Thai',
    'Lao',
    'Khmer',
    'Myanmar',
    'Hangul',
    'Han',
    'Hiragana',
  ],
  ...['Katakana', 'Georgian', 'Armenian', 'Ethiopic'],
].map((name) => new RegExp(`\\p{Script=${name}}`, 'gu'))

/** Less is a name or a word of another language. */
const NOTABLE = 0.1

function notableIn(text: string): boolean[] {
  const counts = SCRIPTS.map((script) => text.match(script)?.length ?? 0)
  const letters = counts.reduce((sum, count) => sum + count, 0)
  return counts.map((count) => count > 0 && count >= letters * NOTABLE)
}

/** Whether one of the texts has a good part in a script that the other has nothing of. */
export function scriptsDiffer(one: string, other: string): boolean {
  const [notable, others] = [notableIn(one), notableIn(other)]
  // Digits and signs alone are of no script.
  if (!notable.includes(true) || !others.includes(true)) return false
  return SCRIPTS.some(
    (script, at) => (notable[at] && !holds(other, script)) || (others[at] && !holds(one, script)),
  )
}

const holds = (text: string, script: RegExp): boolean => text.search(script) !== -1
