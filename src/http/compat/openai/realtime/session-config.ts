// The configuration of a realtime transcription session, read from and written to both versions of the API.

import { type Static, Type } from '@sinclair/typebox'
import type { PcmLayout } from '../../../../audio/decoding/sample-formats.ts'
import { nullable, oneOf } from '../../../../lib/schema.ts'
import { SILENCE_MS } from '../../../../transcription/live/utterance.ts'
import { keywordsField, language, languageField, promptField } from '../../../fields/fields.ts'
import { openObject, text } from '../../../kernel/schema.ts'
import { ANY_MODEL } from '../fields.ts'

export type AudioFormat =
  | { type: 'audio/pcm'; rate: number }
  | { type: 'audio/pcmu' }
  | { type: 'audio/pcma' }

export type SessionConfig = {
  format: AudioFormat
  /** the name that the client sent; null: the preferred model */
  model: string | null
  /** the language that the client sent; null: as in the settings */
  language: string | null
  languages: string[]
  prompt: string | null
  keywords: string[]
  /** null: an item ends only when the client commits it */
  turnDetection: { silenceMs: number } | null
  include: string[]
}

export const LOGPROBS = 'item.input_audio_transcription.logprobs'
/** This server's own option: words that may still change. */
export const PARTIALS = 'item.input_audio_transcription.partial'

/** OpenAI's default. */
const SILENCE_BY_DEFAULT_MS = 500

export const defaultConfig = ({ partials }: { partials: boolean }): SessionConfig => ({
  format: { type: 'audio/pcm', rate: 24_000 },
  model: null,
  language: null,
  languages: [],
  prompt: null,
  keywords: [],
  turnDetection: { silenceMs: SILENCE_BY_DEFAULT_MS },
  include: partials ? [PARTIALS] : [],
})

const transcription = nullable(
  openObject({
    model: Type.Optional(nullable(text({ minLength: 1, maxLength: 100 }))),
    language: Type.Optional(nullable(languageField)),
    languages: Type.Optional(nullable(Type.Array(language(), { maxItems: 100 }))),
    prompt: Type.Optional(nullable(promptField)),
    keywords: Type.Optional(nullable(keywordsField('terms that are likely to occur'))),
  }),
)
const turnDetection = nullable(
  openObject({
    type: Type.Optional(oneOf(['server_vad', 'semantic_vad'])),
    silence_duration_ms: Type.Optional(nullable(Type.Number({ minimum: 0 }))),
  }),
)
const include = nullable(Type.Array(text({ maxLength: 100 }), { maxItems: 20 }))

/** Fields of `session.update`. */
export const sessionFields = openObject({
  type: Type.Optional(Type.Literal('transcription')),
  include: Type.Optional(include),
  audio: Type.Optional(
    openObject({
      input: Type.Optional(
        openObject({
          format: Type.Optional(
            openObject({
              type: oneOf(['audio/pcm', 'audio/pcmu', 'audio/pcma']),
              rate: Type.Optional(nullable(Type.Union([Type.Literal(24_000), Type.Literal(16_000)]))),
            }),
          ),
          transcription: Type.Optional(transcription),
          turn_detection: Type.Optional(turnDetection),
        }),
      ),
    }),
  ),
})

/** Fields of `transcription_session.update`, its predecessor. */
export const olderSessionFields = openObject({
  include: Type.Optional(include),
  input_audio_format: Type.Optional(oneOf(['pcm16', 'g711_ulaw', 'g711_alaw'])),
  input_audio_transcription: Type.Optional(transcription),
  turn_detection: Type.Optional(turnDetection),
})

export type SessionUpdate = {
  format?: AudioFormat
  transcription?: Static<typeof transcription>
  turnDetection?: Static<typeof turnDetection>
  include?: string[] | null
}

export const readSession = ({ audio, include }: Static<typeof sessionFields>): SessionUpdate => {
  const { format, transcription, turn_detection } = audio?.input ?? {}
  return {
    ...(format && {
      format:
        format.type === 'audio/pcm'
          ? { type: format.type, rate: format.rate ?? 24_000 }
          : { type: format.type },
    }),
    ...(transcription !== undefined && { transcription }),
    ...(turn_detection !== undefined && { turnDetection: turn_detection }),
    ...(include !== undefined && { include }),
  }
}

const OLDER_FORMATS = {
  pcm16: { type: 'audio/pcm', rate: 24_000 },
  g711_ulaw: { type: 'audio/pcmu' },
  g711_alaw: { type: 'audio/pcma' },
} as const

export const readOlderSession = (session: Static<typeof olderSessionFields>): SessionUpdate => {
  const {
    input_audio_format: format,
    input_audio_transcription: transcription,
    turn_detection,
    include,
  } = session
  return {
    ...(format && { format: OLDER_FORMATS[format] }),
    ...(transcription !== undefined && { transcription }),
    ...(turn_detection !== undefined && { turnDetection: turn_detection }),
    ...(include !== undefined && { include }),
  }
}

/** Omitted fields stay unchanged; null restores the default. */
export function changedConfig(config: SessionConfig, requested: SessionUpdate): SessionConfig {
  const plain = defaultConfig({ partials: false })
  const { transcription, turnDetection } = requested
  const base = transcription === null ? plain : config
  const sent = transcription ?? {}
  return {
    format: requested.format ?? config.format,
    model: changed(sent.model, base.model, null),
    language: changed(sent.language, base.language, null),
    languages: changed(sent.languages, base.languages, []),
    prompt: changed(sent.prompt, base.prompt, null),
    keywords: changed(sent.keywords, base.keywords, []),
    turnDetection: turnDetection === undefined ? config.turnDetection : turnsOf(turnDetection),
    include: changed(requested.include, config.include, []),
  }
}

const changed = <T>(requested: T | null | undefined, before: T, none: T): T =>
  requested === undefined ? before : (requested ?? none)

const turnsOf = (
  requested: Exclude<SessionUpdate['turnDetection'], undefined>,
): SessionConfig['turnDetection'] => {
  if (requested === null) return null
  const silence = requested.silence_duration_ms ?? SILENCE_BY_DEFAULT_MS
  return { silenceMs: Math.round(Math.min(Math.max(silence, SILENCE_MS.least), SILENCE_MS.most)) }
}

/** The sample layout of the appended audio. */
export const layoutOf = (
  format: AudioFormat,
): Pick<PcmLayout, 'rate'> & { sample: 's16' | 'mulaw' | 'alaw'; bytes: number } => {
  switch (format.type) {
    case 'audio/pcm':
      return { sample: 's16', rate: format.rate, bytes: 2 }
    case 'audio/pcmu':
      return { sample: 'mulaw', rate: 8000, bytes: 1 }
    case 'audio/pcma':
      return { sample: 'alaw', rate: 8000, bytes: 1 }
  }
}

const OBJECT = 'realtime.transcription_session'

/** `threshold` and `prefix_padding_ms` cannot be set and have fixed values. */
const turnDetectionConfig = (turns: SessionConfig['turnDetection']) =>
  turns && {
    type: 'server_vad',
    threshold: 0.5,
    prefix_padding_ms: PREFIX_MS,
    silence_duration_ms: turns.silenceMs,
  }

export const PREFIX_MS = 300

const transcriptionConfig = ({ model, language, languages, prompt, keywords }: SessionConfig) => ({
  model: model ?? ANY_MODEL,
  ...(language !== null && { language }),
  ...(languages.length > 0 && { languages }),
  ...(prompt !== null && { prompt }),
  ...(keywords.length > 0 && { keywords }),
})

export const wireConfig = (id: string, config: SessionConfig) => ({
  object: OBJECT,
  type: 'transcription',
  id,
  include: config.include,
  audio: {
    input: {
      format: config.format,
      noise_reduction: null,
      transcription: transcriptionConfig(config),
      turn_detection: turnDetectionConfig(config.turnDetection),
    },
  },
})

const olderName = { 'audio/pcm': 'pcm16', 'audio/pcmu': 'g711_ulaw', 'audio/pcma': 'g711_alaw' } as const

export const olderWireConfig = (id: string, config: SessionConfig) => ({
  object: OBJECT,
  id,
  include: config.include,
  input_audio_format: olderName[config.format.type],
  input_audio_noise_reduction: null,
  input_audio_transcription: transcriptionConfig(config),
  turn_detection: turnDetectionConfig(config.turnDetection),
})
