// Tells when a decoder found so little sound in a file that it cannot have understood it.
// What is done then is decode-file.ts's.

import { OUTPUT_RATE } from './resampler.ts'

/** The most that each format is written with, in kbit/s. Containers that may hold a picture have no limit. */
const MOST_KBITS: Record<string, number> = {
  mp3: 640,
  aac: 1600,
  loas: 1600,
  ac3: 6144,
  dts: 24_500,
  gsm: 13.2,
  amr: 26,
  dss: 32,
  flac: 40_000,
  wavpack: 40_000,
  ape: 40_000,
  tta: 40_000,
}

/** @param bytes of the file, @param samples that were decoded, at 16 kHz */
export function isScrap(format: string, bytes: number, samples: number): boolean {
  const mostKbits = MOST_KBITS[format] ?? Number.POSITIVE_INFINITY
  return samples > 0 && bytes * 8 > ((mostKbits * 1000) / OUTPUT_RATE) * samples
}
