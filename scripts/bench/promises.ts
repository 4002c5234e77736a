// The introduction of RELIABILITY.md: each promise of the server, and the section of the harness that tests it.

const PROMISES = [
  [
    'Killed at any moment',
    'What was acknowledged survives `kill -9` at any moment, also of the very first start, and leaves nothing over.',
  ],
  [
    'A power cut',
    'What was acknowledged survives a power cut, whatever the disk had not written and whatever became of the database; what was deleted stays deleted.',
  ],
  [
    'Every system call',
    'No system call may fail or be the last one in a way that loses something; who is refused is told why.',
  ],
  [
    'Damaged pages',
    'The database is only an index: damaged anywhere, it is set aside and made anew from the files.',
  ],
  [
    'Children killed',
    'A decoder, speech detector or engine that is killed is replaced, and its work is done.',
  ],
  ['Load', 'Many, slow and vanishing clients keep nobody else waiting, and leave nothing behind.'],
  ['The largest bodies', 'No single request keeps the others waiting.'],
  ['Soak', 'Memory, handles and files do not grow with use.'],
  ['Clocks', 'A clock that is wrong or jumps deletes nothing and hides nothing.'],
  ['Strangers', 'No other user of the computer and no foreign page gets in or gets anything out.'],
  ['Damaged models', 'A damaged model is refused, and recordings are kept.'],
] as const

export const PROMISED_SECTIONS: readonly string[] = PROMISES.map(([section]) => section)

const anchorOf = (section: string) => section.toLowerCase().replaceAll(' ', '-')

export const PROMISES_TEXT = `# Reliability

What the server promises, each promise with the harness that tries to break it and what was seen when it last ran.
Every table is written by the command that is named above it, and not edited by hand; each harness has a short form that CI runs. Where a section is missing, the full form has not yet come to its end with every promise held.

${PROMISES.map(([section, promise]) => `- ${promise} → [${section}](#${anchorOf(section)})`).join('\n')}
`
