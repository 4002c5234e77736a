// Bodies and texts that are the most expensive to parse, check and rewrite, of maximum size.

export const MIB = 1024 * 1024

/** Valid JSON, or text that begins like it, up to the body limit. */
export const hostileJson: Record<string, () => string> = {
  'lists in lists': () => `${'['.repeat(MIB / 2)}${']'.repeat(MIB / 2)}`,
  'objects in objects': () => `${'{"a":'.repeat(MIB / 6 - 1)}0${'}'.repeat(MIB / 6 - 1)}`,
  'unknown keys': () => `{${Array.from({ length: 65_000 }, (_, i) => `"k${i}":${i}`).join(',')}}`,
  'a list of zeros': () => `[${'0,'.repeat(MIB / 2 - 2)}0]`,
  'a list of lists': () => `[${'[],'.repeat(MIB / 3 - 2)}[]]`,
  'one long text': () => JSON.stringify('x'.repeat(MIB - 10)),
  'one long text of escapes': () => `"${'\\ud800'.repeat(MIB / 6 - 2)}"`,
  'one long key': () => `{"${'~/'.repeat(MIB / 2 - 10)}":0}`,
  'one long number': () => `[${'9'.repeat(MIB - 10)}]`,
  'white space': () => ' '.repeat(MIB),
}

type HostileText = { what: string; text: string }

const filled = (characters: number, unit: string): string =>
  unit
    .repeat(Math.ceil(characters / unit.length))
    .slice(0, characters)
    .toWellFormed()

const UNITS: Record<string, string> = {
  'one character': 'a',
  hesitations: 'um uh er ',
  stutters: 'the the I I we we ',
  corrections: 'on Monday no I mean Tuesday scratch that ',
  'spoken punctuation': 'open quote comma new line period close quote dot ',
  'numbers in words': 'one hundred twenty three thousand and five point six ',
  digits: '1234567890,.',
  punctuation: '.,;:!?"\'()',
  'opened and never closed': '((([[[{{{<<<"“',
  lines: '\n',
  'short lines': 'x y\n',
  spaces: ' ',
  addresses: 'a@b.co www.x.y http://x/ ',
  'no spaces': '言葉を話す。',
  accents: 'e\u0301\u0302',
  families: '👩‍👩‍👧‍👦 ',
  markdown: '**a** _b_ `c` [d](e) # ',
  tags: '<a href="x"><b></a>&amp;',
  sentences: 'So I said that, um, the the meeting is at five, no, six. And he left! ',
}

export const hostileTexts = (characters: number): HostileText[] =>
  Object.entries(UNITS).map(([what, unit]) => ({ what, text: filled(characters, unit) }))
