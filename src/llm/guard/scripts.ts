// Compares the scripts of two texts. Languages of one script are distinguished by their words (word-rules.ts).

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

/** A smaller share is a name or a foreign word. */
const NOTABLE = 0.1

function notableIn(text: string): boolean[] {
  const counts = SCRIPTS.map((script) => text.match(script)?.length ?? 0)
  const letters = counts.reduce((sum, count) => sum + count, 0)
  return counts.map((count) => count > 0 && count >= letters * NOTABLE)
}

/** Whether one text has a notable part in a script that the other lacks. */
export function scriptsDiffer(one: string, other: string): boolean {
  const [notable, others] = [notableIn(one), notableIn(other)]
  // Digits and symbols alone have no script.
  if (!notable.includes(true) || !others.includes(true)) return false
  return SCRIPTS.some(
    (script, at) => (notable[at] && !holds(other, script)) || (others[at] && !holds(one, script)),
  )
}

const holds = (text: string, script: RegExp): boolean => text.search(script) !== -1
