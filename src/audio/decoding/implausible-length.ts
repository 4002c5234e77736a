// Detects that a decoder found so little audio in a file that it cannot have understood the format.

import { OUTPUT_RATE } from './resampler.ts'

/** The highest bitrate of each format, in kbit/s. Containers that may contain video have no limit. */
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

/** @param bytes size of the file, @param samples number of decoded samples, at 16 kHz */
export function isImplausiblyShort(format: string, bytes: number, samples: number): boolean {
  const mostKbits = MOST_KBITS[format] ?? Number.POSITIVE_INFINITY
  return samples > 0 && bytes * 8 > ((mostKbits * 1000) / OUTPUT_RATE) * samples
}
