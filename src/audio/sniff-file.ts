import { closeSync, openSync, type PathLike, readSync } from 'node:fs'
import { createSniffer, type Recognised, SNIFF_BYTES } from './sniff.ts'

/** The format of a file and the offset where its audio begins; null if it is not a recording. */
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
