// What ONNX Runtime 1.30.0 made of a few recordings with Silero v6: a probability for each frame.
// record-probabilities.ts writes it.

import { join } from 'node:path'

/** A voice, a quiet one, one in noise, one after a silence, and sounds that are none. */
export const RECORDINGS = [
  'human-4.flac',
  'quiet-40db.flac',
  'noise-20db.flac',
  'after-8s-of-silence.flac',
  'nothing-chord.flac',
] as const

export const PROBABILITIES_FILE = join(import.meta.dir, 'probabilities.json')

export const recordedProbabilities = async (): Promise<Record<string, number[]>> =>
  Bun.file(PROBABILITIES_FILE).json()
