// Detects the format of a recording in memory. For files on disk, see sniff.ts.

import type { AudioKind } from '../../src/audio/audio-file.ts'
import { createSniffer } from '../../src/audio/sniff.ts'

/** @param bytes the whole recording, or its beginning including tags */
export function sniffAudio(bytes: Uint8Array): AudioKind | null {
  const sniffer = createSniffer()
  sniffer.add(bytes)
  return sniffer.recognised()?.kind ?? null
}
