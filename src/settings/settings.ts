// The settings that a user changes while the server runs: schema, limits and defaults. Process settings (port, folders)
// are in src/config.ts.

import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { COMPUTE_CHOICES } from '../engine/gpu/gpu-request.ts'
import { WHISPER_LANGUAGES } from '../engine/languages.ts'
import { LANGUAGE_VARIANTS } from '../text/language-names.ts'

const nullable = <S extends TSchema>(schema: S, description: string) =>
  Type.Union([schema, Type.Null()], { description })
const flag = (description: string) => Type.Boolean({ description })
const count = (minimum: number, maximum: number, description: string) =>
  Type.Integer({ minimum, maximum, description })
const days = (description: string) => nullable(Type.Integer({ minimum: 1, maximum: 36_500 }), description)
const language = Type.Union(WHISPER_LANGUAGES.map((code) => Type.Literal(code)))
const languageVariant = Type.Union(
  [...WHISPER_LANGUAGES, ...LANGUAGE_VARIANTS].map((code) => Type.Literal(code)),
)
const webAddress = Type.String({ maxLength: 2000, pattern: '^https?://[^\\s/?#]+[^\\s]*$' })
const keyVariable = Type.String({ maxLength: 100, pattern: '^[A-Za-z_][A-Za-z0-9_]*$' })
const keys = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 50 }), { minItems: 1, maxItems: 6, description })

export const SettingsSchema = Type.Object({
  sttModel: nullable(Type.String({ minLength: 1, maxLength: 100 }), 'null: the best installed model'),
  language: nullable(languageVariant, 'for requests that name no language; null: detected'),
  autoRefine: flag('refine new captures'),
  llmModel: nullable(
    Type.String({ minLength: 1, maxLength: 200 }),
    'the name that the language model server uses; null: the server chooses',
  ),
  smartCleanup: flag('remove fillers and stutters, set punctuation and capitals'),
  selfCorrection: flag('remove words that the speaker corrected'),
  preserveTechnical: flag('keep identifiers, and write spoken symbols as symbols'),
  allowAutoPaste: flag('whether `dictation dictate` and other clients insert the text; else it is copied'),
  defaultPlaybackVoiceId: nullable(
    Type.String({ maxLength: 200 }),
    'for clients; this server does not speak',
  ),
  hotkeyEnabled: flag('for other clients: listen to the keys below; `dictation dictate` always does'),
  chordPushToTalkKeys: keys('held while speaking, in `dictation dictate` and other clients'),
  chordToggleToTalkKeys: keys('starts and stops, in `dictation dictate` and other clients'),
  languages: Type.Array(language, {
    maxItems: 20,
    uniqueItems: true,
    description: 'the languages that detection may choose from; empty: every language',
  }),
  initialPrompt: nullable(
    Type.String({ maxLength: 4000 }),
    'text at the start of every prompt, before the dictionary',
  ),
  applyDictionary: flag('apply the dictionary unless a request says otherwise'),
  vadEnabled: flag('transcribe detected speech only; off: all audio, including silence'),
  noSpeechThreshold: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'segments with a higher probability of silence and a low confidence are dropped',
  }),
  refineTimeoutMs: count(100, 600_000, 'time limit of the language model for one text'),
  llmBaseUrl: nullable(
    webAddress,
    'of an OpenAI-compatible server, up to and including /v1; null: no language model is used',
  ),
  llmApiKeyEnv: nullable(
    keyVariable,
    'the name of the environment variable that holds the key, never the key; it begins with DICTATION_',
  ),
  engine: Type.Union([...COMPUTE_CHOICES.map((choice) => Type.Literal(choice)), Type.Null()], {
    description:
      'what computes models: `cpu`; `auto`: the GPU for large models that pass a trial on it; `gpu`: for every model that computes the same there; null: as DICTATION_ENGINE says, by default the CPU',
  }),
  engineUrl: nullable(
    webAddress,
    'of an OpenAI-compatible server, up to and including /v1, that transcribes recordings; null: they stay on this computer',
  ),
  engineKeyEnv: nullable(
    keyVariable,
    'the name of the environment variable with the key for `engine_url`, never the key; it begins with DICTATION_',
  ),
  modelIdleUnloadSeconds: count(10, 86_400, 'idle time after which the memory of the models is freed'),
  typingWpm: count(1, 400, 'words a minute by keyboard; time saved is measured against it'),
  trashDays: count(
    0,
    36_500,
    'days until captures in the trash and damaged databases that were set aside are deleted',
  ),
  retentionDays: days('older captures are removed, unless starred; null: never'),
  audioRetentionDays: days('older audio is removed, the text stays; null: never'),
  maxCaptures: nullable(
    Type.Integer({ minimum: 1, maximum: 10_000_000 }),
    'the oldest captures above this number are removed, unless starred',
  ),
  recordAppContext: flag('store the application, address and window that a client sends'),
  webhookUrl: nullable(webAddress, 'called for every finished capture; null: no webhook'),
  modelBaseUrl: nullable(webAddress, 'source of model downloads in place of huggingface.co'),
})

export type Settings = Static<typeof SettingsSchema>

/** Right Control and right Shift, as in Voicebox. A client on a Mac chooses its own keys. */
const PUSH_TO_TALK = ['ControlRight', 'ShiftRight']

export const DEFAULT_SETTINGS: Settings = {
  sttModel: null,
  language: null,
  autoRefine: true,
  llmModel: null,
  smartCleanup: true,
  selfCorrection: true,
  preserveTechnical: true,
  allowAutoPaste: true,
  defaultPlaybackVoiceId: null,
  hotkeyEnabled: false,
  chordPushToTalkKeys: PUSH_TO_TALK,
  chordToggleToTalkKeys: [...PUSH_TO_TALK, 'Space'],
  languages: [],
  initialPrompt: null,
  applyDictionary: true,
  vadEnabled: true,
  noSpeechThreshold: 0.6,
  refineTimeoutMs: 4000,
  llmBaseUrl: null,
  llmApiKeyEnv: null,
  engine: null,
  engineUrl: null,
  engineKeyEnv: null,
  modelIdleUnloadSeconds: 300,
  typingWpm: 45,
  trashDays: 7,
  retentionDays: null,
  audioRetentionDays: null,
  maxCaptures: null,
  recordAppContext: true,
  webhookUrl: null,
  modelBaseUrl: null,
}
