// Tells packed Opus from bare samples by how a stream begins.
// Files are told by sniff.ts, which knows more of them.

export type OpusContainer = 'webm' | 'ogg'

const STARTS = { webm: '\x1a\x45\xdf\xa3', ogg: 'OggS' } as const

/** `unclear` where too little is there to tell. */
export function opusContainerOf(bytes: Uint8Array): OpusContainer | 'unclear' | null {
  for (const container of ['webm', 'ogg'] as const) {
    const start = STARTS[container]
    const there = String.fromCharCode(...bytes.subarray(0, start.length))
    if (there === start) return container
    if (start.startsWith(there)) return 'unclear'
  }
  return null
}
