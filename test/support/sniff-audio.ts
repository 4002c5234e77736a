// What the server makes of the first bytes of a recording that a test holds in memory.
// Of a file on the disk, sniff-file.ts tells.

import type { AudioKind } from '../../src/audio/audio-file.ts'
import { createSniffer } from '../../src/audio/sniff.ts'

/** Recognises a recording of which the beginning is there, tags and all, or the whole. */
export function sniffAudio(bytes: Uint8Array): AudioKind | null {
  const sniffer = createSniffer()
  sniffer.add(bytes)
  return sniffer.recognised()?.kind ?? null
}
