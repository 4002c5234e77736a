// Speech probabilities per frame from ONNX Runtime 1.30.0 with Silero v6, written by record-probabilities.ts.

import { join } from 'node:path'

/** A voice, a quiet one, one in noise, one after a silence, and a sound without a voice. */
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
