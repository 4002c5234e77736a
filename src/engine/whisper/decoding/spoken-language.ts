// Chooses the language of a request: the requested one, or the detected one.

import type { SpokenLanguage, WindowPart } from '../../engine.ts'
import type { TranscriptionContext } from './decode-segment.ts'
import { type DetectedLanguage, detectLanguages } from './detect-language.ts'
import { detectParts, SURE_OF_ANOTHER } from './language-parts.ts'
import { languageToken } from './special-tokens.ts'

type LanguageRequest = {
  language: string | null
  languages?: readonly string[] | undefined
  parts?: readonly WindowPart[] | undefined
}

/** In a trimmed window, a language must be likelier than all others together. */
const SURE = 0.5

type Spoken = SpokenLanguage & {
  /** null for English-only models */
  token: number | null
  /** one per requested part, only if these are in more than one language */
  languages?: SpokenLanguage[]
}

/**
 * English-only models return English. A requested language that the model does not know is detected instead, with the full
 * window if necessary. If all parts are clearly in one other language than requested, that one is used.
 */
export const spokenLanguage = async (
  context: TranscriptionContext,
  request: LanguageRequest,
  trimmed: number | null,
  onShare: (share: number) => void,
): Promise<Spoken> => {
  const { windowModel, audio } = context
  const { tokens, shape } = windowModel.model
  const { language, languages, parts = [] } = request
  if (!tokens.multilingual) return { language: 'en', languageProbability: null, token: null }
  const encode = (frames: number) => audio.encode(0, frames, onShare)
  const detect = async (frames: number) => {
    await encode(frames)
    return (await detectLanguages(windowModel.decoder, tokens, languages))[0]!
  }
  const detected = async () => {
    const first = await detect(trimmed ?? shape.audioFrames)
    return trimmed === null || first.probability > SURE ? first : await detect(shape.audioFrames)
  }
  const isKnown = language !== null && languageToken(tokens, language) !== null
  const whole = isKnown ? { language, languageProbability: null } : withProbability(await detected())
  const inOne = (one: SpokenLanguage): Spoken => ({ ...one, token: languageToken(tokens, one.language) })
  if (parts.length === 0) return inOne(whole)

  const frames = trimmed ?? shape.audioFrames
  await encode(frames)
  const found = await detectParts(context, parts, { frames, candidates: languages })
  const ofParts = found.map((part) => (part.probability >= SURE_OF_ANOTHER ? withProbability(part) : whole))
  const [first, ...others] = new Set(ofParts.map((part) => part.language))
  if (others.length > 0) return { ...inOne(whole), languages: ofParts }
  return inOne(first === whole.language ? whole : ofParts[0]!)
}

const withProbability = ({ language, probability }: DetectedLanguage): SpokenLanguage => ({
  language,
  languageProbability: probability,
})
