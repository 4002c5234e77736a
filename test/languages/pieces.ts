// Recordings of test/languages/speech, cut into pieces of a few seconds. A cut may split a word, as when a user presses
// the key too late.

import { createTestDecoder } from '../audio/decoded.ts'
import { wavOf } from '../support/wav.ts'
import { pathOf, type Spoken } from './material.ts'

const RATE = 16_000

export type SpokenPiece = { from: string; language: string; seconds: number; file: File }

/** As many pieces as fit, of equal length, at least `seconds`. */
export async function piecesOf(some: Spoken[], seconds: number): Promise<SpokenPiece[]> {
  await using decoder = await createTestDecoder()
  const pieces: SpokenPiece[] = []
  for (const one of some) {
    const samples = await decoder.samplesOf(pathOf(one))
    const count = Math.floor(samples.length / (seconds * RATE))
    for (let at = 0; at < count; at++) {
      const [from, to] = [at, at + 1].map((edge) => Math.floor((edge * samples.length) / count)) as [
        number,
        number,
      ]
      const name = `${one.file}-${at + 1}.wav`
      pieces.push({
        ...{ from: one.file, language: one.language, seconds: (to - from) / RATE },
        file: new File([wavOf(samples.subarray(from, to))], name),
      })
    }
  }
  return pieces
}
