// The introduction of RELIABILITY.md: each promise of the server, and the section of the harness that tests it.

const PROMISES = [
  [
    'Killed at any moment',
    'Every acknowledged change survives `kill -9` at any moment, including the first start, and no file is left.',
  ],
  [
    'A power cut',
    'Every acknowledged change survives a power cut; deleted captures stay deleted. If the database itself is lost, every recording survives, and everything else as of its copies.',
  ],
  [
    'Every system call',
    'No failing system call, and no kill at one, loses acknowledged data; an error response states its reason.',
  ],
  [
    'Damaged pages',
    'A damaged database is moved aside and rebuilt from the recordings and the copies beside them.',
  ],
  ['Children killed', 'A killed decoder, speech detector or engine is replaced, and its work is completed.'],
  ['Load', 'Many, slow and disconnecting clients do not block others, and leave nothing behind.'],
  ['The largest bodies', 'No single request blocks the others.'],
  ['Soak', 'Memory, handles and files do not grow with use.'],
  ['Clocks', 'A wrong or jumping clock deletes nothing and hides nothing.'],
  ['Strangers', 'Other users of the computer and foreign web pages get no access.'],
  [
    'Several machines',
    'Servers and workers on one Postgres lose nothing and do nothing twice, whichever of them fails, or their database or store.',
  ],
  ['Damaged models', 'A damaged model is rejected, and recordings are kept.'],
] as const

export const PROMISED_SECTIONS: readonly string[] = PROMISES.map(([section]) => section)

const anchorOf = (section: string) => section.toLowerCase().replaceAll(' ', '-')

export const PROMISES_TEXT = `# Reliability

The server's promises, each with the harness that tries to break it and the result of its last full run.
The command above each table writes it; do not edit tables by hand. CI runs a short form of each harness. A missing section means that no full run has kept every promise yet.

${PROMISES.map(([section, promise]) => `- ${promise} → [${section}](#${anchorOf(section)})`).join('\n')}
`
