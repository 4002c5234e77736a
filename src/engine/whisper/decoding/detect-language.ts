// Detects the spoken language of the decoder's window.

import { WHISPER_LANGUAGES } from '../../languages.ts'
import type { WindowDecoder } from '../batch-scheduler.ts'
import type { SpecialTokens } from './special-tokens.ts'

export type DetectedLanguage = { language: string; probability: number }

/**
 * All languages of the model, likeliest first; the probabilities add up to 1.
 *
 * @param candidates ISO 639-1: restricts the result to these if the model knows any of them
 */
export const detectLanguages = async (
  decoder: WindowDecoder,
  tokens: SpecialTokens,
  candidates: readonly string[] = [],
): Promise<DetectedLanguage[]> => {
  decoder.reset(0)
  const [logits] = await decoder.advance([{ sequenceId: 0, tokens: [tokens.start] }])
  const known = [
    ...logits!.values.subarray(tokens.firstLanguage, tokens.firstLanguage + tokens.languages),
  ].map((logit, i) => ({ language: WHISPER_LANGUAGES[i]!, logit }))
  const wanted = known.filter(({ language }) => candidates.includes(language))
  const compared = wanted.length > 0 ? wanted : known
  const max = Math.max(...compared.map(({ logit }) => logit))
  const powers = compared.map(({ language, logit }) => ({ language, power: Math.exp(logit - max) }))
  const sum = powers.reduce((total, { power }) => total + power, 0)
  return powers
    .map(({ language, power }) => ({ language, probability: power / sum }))
    .sort((a, b) => b.probability - a.probability)
}
