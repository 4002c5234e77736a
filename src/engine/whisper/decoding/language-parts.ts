// In which languages the parts of a window are, so that a recording in which the language changes is heard in each of them.
// Where the parts begin and end is transcription's; how a language is detected is detect-language.ts.

import { SAMPLE_RATE, type WindowPart } from '../../engine.ts'
import { type DetectedLanguage, detectLanguages } from './detect-language.ts'
import type { Hearing } from './hear-piece.ts'
import { SAMPLES_PER_FRAME } from './sequence.ts'

/**
 * A part that is another language with less is a name, a loanword or a kindred language. base gave the right language
 * with more than this to all but 4 of 110 parts of recordings in one language, and a wrong one to none.
 */
export const SURE_OF_ANOTHER = 0.9

const SAMPLES_PER_ENCODER_FRAME = SAMPLE_RATE / 50

/**
 * The likeliest of each part. Listens to the frames of the parts alone, in what is encoded already: that costs an
 * eighth of encoding them once more. The encoder lets neighbours in another language colour them, so a part of which
 * it is not sure is encoded on its own.
 *
 * @param frames of the encoder, that were listened to
 */
export async function detectParts(
  { listener, ear, breathe }: Hearing,
  parts: readonly WindowPart[],
  { frames, candidates }: { frames: number; candidates: readonly string[] | undefined },
): Promise<DetectedLanguage[]> {
  const detect = async () => (await detectLanguages(listener.decoder, listener.model.tokens, candidates))[0]!
  const places = parts.map(({ fromSample, toSample }) => {
    const from = Math.min(Math.floor(fromSample / SAMPLES_PER_ENCODER_FRAME), frames - 1)
    const to = Math.min(Math.ceil(toSample / SAMPLES_PER_ENCODER_FRAME), frames)
    return { fromSample, from, frames: Math.max(1, to - from) }
  })
  const found: DetectedLanguage[] = []
  for (const place of places) {
    await breathe()
    await ear.attendTo(place.from, place.frames)
    found.push(await detect())
  }
  for (const [at, place] of places.entries()) {
    if (found[at]!.probability >= SURE_OF_ANOTHER) continue
    await breathe()
    await ear.listen(Math.floor(place.fromSample / SAMPLES_PER_FRAME), place.frames, () => {})
    found[at] = await detect()
  }
  return found
}
