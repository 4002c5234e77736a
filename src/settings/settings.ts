// The settings a person changes while the server runs: their shape, their limits and what they are at first.
// Keeping them is settings-store.ts; those of the process itself (port, folders) are src/config.ts.

import { type Static, type TSchema, Type } from '@sinclair/typebox'
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
const keys = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 50 }), { minItems: 1, maxItems: 6, description })

export const SettingsSchema = Type.Object({
  sttModel: nullable(Type.String({ minLength: 1, maxLength: 100 }), 'null is the best that is installed'),
  language: nullable(languageVariant, 'of requests that name none; null finds it out'),
  autoRefine: flag('refine new captures'),
  llmModel: nullable(
    Type.String({ minLength: 1, maxLength: 200 }),
    'as the language model server calls it; null is its own choice',
  ),
  smartCleanup: flag('leave out fillers and stutters, set punctuation and capitals'),
  selfCorrection: flag('leave out what the speaker took back'),
  preserveTechnical: flag('keep identifiers, and write spoken symbols as symbols'),
  allowAutoPaste: flag('for clients: the text may be pasted by itself'),
  defaultPlaybackVoiceId: nullable(
    Type.String({ maxLength: 200 }),
    'for clients; this server does not speak',
  ),
  hotkeyEnabled: flag('for clients: listen to the keys below'),
  chordPushToTalkKeys: keys('for clients: held while speaking'),
  chordToggleToTalkKeys: keys('for clients: starts and stops'),
  languages: Type.Array(language, {
    maxItems: 20,
    uniqueItems: true,
    description: 'what automatic detection may choose from; none means every language',
  }),
  initialPrompt: nullable(
    Type.String({ maxLength: 4000 }),
    'text that every recognition is biased by, before the dictionary',
  ),
  applyDictionary: flag('apply the dictionary where a request does not say'),
  vadEnabled: flag('listen only where speech is detected; off: to everything, silence too'),
  noSpeechThreshold: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'what the model takes for silence with a higher probability, and is unsure of, is left out',
  }),
  refineTimeoutMs: count(100, 600_000, 'what the language model may take for one text'),
  llmBaseUrl: nullable(
    webAddress,
    'of an OpenAI-compatible server, up to and with /v1; null: no language model is asked',
  ),
  llmApiKeyEnv: nullable(
    Type.String({ maxLength: 100, pattern: '^[A-Za-z_][A-Za-z0-9_]*$' }),
    'the name of the environment variable that holds the key, never the key; it begins with DICTATION_',
  ),
  modelIdleUnloadSeconds: count(
    10,
    86_400,
    'after so long without work the memory of the models is given back',
  ),
  typingWpm: count(1, 400, 'words a minute by keyboard; time saved is measured against it'),
  trashDays: count(
    0,
    36_500,
    'the trash is emptied of what lies in it so long; a damaged database that was set aside is kept no longer',
  ),
  retentionDays: days('older captures are removed, unless starred; null keeps them'),
  audioRetentionDays: days('older audio is removed, its text stays; null keeps it'),
  maxCaptures: nullable(
    Type.Integer({ minimum: 1, maximum: 10_000_000 }),
    'the oldest above so many are removed, unless starred',
  ),
  recordAppContext: flag('keep the application, address and window that a client tells'),
  webhookUrl: nullable(webAddress, 'is told of every capture that is done; null: nobody'),
  modelBaseUrl: nullable(webAddress, 'where models are downloaded from in place of huggingface.co'),
})

export type Settings = Static<typeof SettingsSchema>

/** Right Control and right Shift, as Voicebox has them; its Mac keys are the client's to choose. */
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
