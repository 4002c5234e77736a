// Distinguishes Opus in a container from raw samples by the first bytes of a stream.

export type OpusContainer = 'webm' | 'ogg'

const STARTS = { webm: '\x1a\x45\xdf\xa3', ogg: 'OggS' } as const

/** `unclear` if there are too few bytes to decide. */
export function opusContainerOf(bytes: Uint8Array): OpusContainer | 'unclear' | null {
  for (const container of ['webm', 'ogg'] as const) {
    const start = STARTS[container]
    const there = String.fromCharCode(...bytes.subarray(0, start.length))
    if (there === start) return container
    if (start.startsWith(there)) return 'unclear'
  }
  return null
}
