// Which language a call is heard in: the one that is asked for, or the one that is spoken.
// How it is detected is detect-language.ts.

import { detectLanguages } from './detect-language.ts'
import type { Hearing } from './hear-piece.ts'
import { languageToken } from './special-tokens.ts'

type Asked = { language: string | null; languages?: readonly string[] | undefined }

/** Of a trimmed window a language is believed only if it is likelier than all others together. */
const SURE = 0.5

type SpokenLanguage = { language: string; token: number | null; probability: number | null }

/** English-only models know one; what is asked for and not known is detected, if need be through the full window. */
export const spokenLanguage = async (
  { listener, ear }: Hearing,
  { language, languages }: Asked,
  trimmed: number | null,
  onShare: (share: number) => void,
): Promise<SpokenLanguage> => {
  const { tokens, shape } = listener.model
  if (!tokens.multilingual) return { language: 'en', token: null, probability: null }
  const token = language === null ? null : languageToken(tokens, language)
  if (language !== null && token !== null) return { language, token, probability: null }
  const detect = async (frames: number) => {
    await ear.listen(0, frames, onShare)
    return detectLanguages(listener.decoder, tokens, languages)[0]!
  }
  const first = await detect(trimmed ?? shape.audioFrames)
  const found = trimmed === null || first.probability > SURE ? first : await detect(shape.audioFrames)
  return { ...found, token: languageToken(tokens, found.language) }
}
