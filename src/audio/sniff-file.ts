// Recognises a recording on the disk by its content.
// What the bytes mean is sniff.ts's.

import { closeSync, openSync, type PathLike, readSync } from 'node:fs'
import { createSniffer, type Recognised, SNIFF_BYTES } from './sniff.ts'

/** What a file is and where it begins; null for anything that is no recording. */
export function sniffFile(path: PathLike): Recognised | null {
  const file = openSync(path, 'r')
  try {
    const sniffer = createSniffer()
    const chunk = new Uint8Array(SNIFF_BYTES)
    for (;;) {
      const bytes = readSync(file, chunk)
      if (bytes === 0 || sniffer.add(chunk.subarray(0, bytes))) return sniffer.recognised()
    }
  } finally {
    closeSync(file)
  }
}
