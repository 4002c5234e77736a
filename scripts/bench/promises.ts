// The introduction of RELIABILITY.md: each promise of the server, and the section of the harness that tests it.

const PROMISES = [
  [
    'Killed at any moment',
    'Every acknowledged change survives `kill -9` at any moment, including the very first start, and nothing is left over.',
  ],
  [
    'A power cut',
    'Every acknowledged change survives a power cut; deleted captures stay deleted. If the database itself is lost, every recording survives, and everything else as far as its copies.',
  ],
  [
    'Every system call',
    'Any system call may fail or be the last one without loss; every refusal states its reason.',
  ],
  [
    'Damaged pages',
    'A database that is damaged anywhere is quarantined and rebuilt from the recordings and the copies beside them.',
  ],
  [
    'Children killed',
    'A decoder, speech detector or engine that is killed is replaced, and its work is completed.',
  ],
  ['Load', 'Many, slow and vanishing clients do not block others and leave nothing behind.'],
  ['The largest bodies', 'No single request blocks the others.'],
  ['Soak', 'Memory, handles and files do not grow with use.'],
  ['Clocks', 'A wrong or jumping clock deletes nothing and hides nothing.'],
  ['Strangers', 'Other users of the computer and foreign pages get neither access nor data.'],
  ['Damaged models', 'A damaged model is rejected, and recordings are kept.'],
] as const

export const PROMISED_SECTIONS: readonly string[] = PROMISES.map(([section]) => section)

const anchorOf = (section: string) => section.toLowerCase().replaceAll(' ', '-')

export const PROMISES_TEXT = `# Reliability

The promises of the server, each with the harness that tries to break it and the latest result.
Each table is written by the command named above it and not edited by hand; CI runs a short form of each harness. If a section is missing, its full form has not passed yet.

${PROMISES.map(([section, promise]) => `- ${promise} → [${section}](#${anchorOf(section)})`).join('\n')}
`
