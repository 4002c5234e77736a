// Asks the model which language is spoken in what the decoder listens to.
// Whether to ask at all is transcribe-samples.ts.

import { WHISPER_LANGUAGES } from '../../languages.ts'
import type { Decoder } from '../decoder.ts'
import type { SpecialTokens } from './special-tokens.ts'

export type DetectedLanguage = { language: string; probability: number }

/** Of each language that the model knows, likeliest first; the probabilities add up to 1. */
export const detectLanguages = (decoder: Decoder, tokens: SpecialTokens): DetectedLanguage[] => {
  decoder.reset(0)
  const logits = decoder.advance([{ slot: 0, tokens: [tokens.start] }])[0]!
  const known = [...logits.subarray(tokens.firstLanguage, tokens.firstLanguage + tokens.languages)]
  const max = Math.max(...known)
  const powers = known.map((logit) => Math.exp(logit - max))
  const sum = powers.reduce((total, power) => total + power, 0)
  return powers
    .map((power, i) => ({ language: WHISPER_LANGUAGES[i]!, probability: power / sum }))
    .sort((a, b) => b.probability - a.probability)
}
