// The ids of the special tokens in a Whisper vocabulary of a given size.

import { WHISPER_LANGUAGES } from '../../languages.ts'
import { firstSpecialToken } from '../../words.ts'

/** Ids below `end` are text; ids between `end` and `firstTimestamp` are control tokens. */
export type SpecialTokens = {
  multilingual: boolean
  end: number
  start: number
  firstLanguage: number
  languages: number
  translate: number
  transcribe: number
  speakerTurn: number
  previous: number
  noSpeech: number
  noTimestamps: number
  /** 0.00 s; each further one is 20 ms later, to the end of the vocabulary */
  firstTimestamp: number
  vocabulary: number
}

/** A timestamp is 20 ms, which is one frame of the encoder and two of the mel spectrogram. */
export const TIMESTAMP_MS = 20

const ENGLISH_VOCABULARY = 51_864
/** English-only vocabularies reserve ids for 99 languages. */
const ENGLISH_LANGUAGES = 99
/** 0 to 30 s */
const TIMESTAMPS = 1501

/** @param vocabulary the number of tokens: 51864 for English-only models, 51865, or 51866 with Cantonese */
export const specialTokensOf = (vocabulary: number): SpecialTokens => {
  const multilingual = vocabulary > ENGLISH_VOCABULARY
  const end = firstSpecialToken(multilingual)
  const firstLanguage = end + 2
  const languages = multilingual ? vocabulary - ENGLISH_VOCABULARY + ENGLISH_LANGUAGES - 1 : ENGLISH_LANGUAGES
  const translate = firstLanguage + languages
  return {
    multilingual,
    end,
    start: end + 1,
    firstLanguage,
    languages,
    translate,
    transcribe: translate + 1,
    speakerTurn: translate + 2,
    previous: translate + 3,
    noSpeech: translate + 4,
    noTimestamps: translate + 5,
    firstTimestamp: translate + 6,
    vocabulary: Math.min(vocabulary, translate + 6 + TIMESTAMPS),
  }
}

/** @returns null if the model has no token for the language */
export const languageToken = (tokens: SpecialTokens, language: string): number | null => {
  const index = WHISPER_LANGUAGES.indexOf(language)
  return index < 0 || index >= tokens.languages ? null : tokens.firstLanguage + index
}

export const isTimestamp = (tokens: SpecialTokens, id: number) => id >= tokens.firstTimestamp

export const isText = (tokens: SpecialTokens, id: number) => id < tokens.end
