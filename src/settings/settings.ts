// The settings a person changes while the server runs: their shape and what they are at first.
// Keeping them is settings-file.ts; those of the process itself (port, folders) are src/config.ts.

export type Settings = {
  /** name of a model as the catalogue has it; null is the best that is installed */
  sttModel: string | null
  /** ISO 639-1; null is automatic */
  language: string | null
  /** which languages automatic detection may choose from; none means all */
  languages: string[]
  initialPrompt: string | null
  applyDictionary: boolean
  vadEnabled: boolean
  /** 0 to 1; a segment that the engine takes for silence with more than this probability is dropped */
  noSpeechThreshold: number
  /** whether new captures are refined */
  autoRefine: boolean
  smartCleanup: boolean
  selfCorrection: boolean
  preserveTechnical: boolean
  /** null is the style that the database holds as the default */
  defaultWritingStyleId: string | null
  /** what a language model may take for one text; then the text of the rules stands */
  refineTimeoutMs: number
  llmModel: string | null
  /** an OpenAI-compatible address, up to and with `/v1`; null: no language model */
  llmBaseUrl: string | null
  /** the name of the variable that holds the key, never the key */
  llmApiKeyEnv: string | null
  modelIdleUnloadSeconds: number
  /** words per minute; what the time saved by speaking is measured against */
  typingWpm: number
  trashDays: number
  retentionDays: number | null
  audioRetentionDays: number | null
  maxCaptures: number | null
  recordAppContext: boolean
  webhookUrl: string | null
  /** where models are downloaded from in place of the hub */
  modelBaseUrl: string | null
  // What only clients act on; kept for them.
  allowAutoPaste: boolean
  defaultPlaybackVoiceId: string | null
  hotkeyEnabled: boolean
  chordPushToTalkKeys: string[]
  chordToggleToTalkKeys: string[]
}

export const DEFAULT_SETTINGS: Settings = {
  sttModel: null,
  language: null,
  languages: [],
  initialPrompt: null,
  applyDictionary: true,
  vadEnabled: true,
  noSpeechThreshold: 0.6,
  autoRefine: true,
  smartCleanup: true,
  selfCorrection: true,
  preserveTechnical: true,
  defaultWritingStyleId: null,
  refineTimeoutMs: 4000,
  llmModel: null,
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
  allowAutoPaste: true,
  defaultPlaybackVoiceId: null,
  hotkeyEnabled: false,
  chordPushToTalkKeys: [],
  chordToggleToTalkKeys: [],
}
