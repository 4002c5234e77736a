// Shared by all routes that transcribe a recording without storing it.

import type { Dictation } from '../../dictation/dictation.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Log } from '../../lib/log.ts'
import type { Settings } from '../../settings/settings.ts'
import type { FindsModels } from '../fields/model.ts'
import type { RecordingDeps } from '../recording/with-temp-audio.ts'

export type TranscribeRouteDeps = RecordingDeps & {
  log: Log
  engine: Pick<Engine, 'info'>
  models: FindsModels
  dictation: Dictation
  settings: { current(): Settings }
  /** fires when the server stops, and ends the streams */
  shutdown: AbortSignal
}

export const TRANSCRIBE_PROBLEMS = [
  'audio_too_long',
  'undecodable_audio',
  'unknown_model',
  'unsupported_language',
  'unsupported_task',
  'queue_full',
  'model_not_installed',
  'model_unreadable',
  'engine_unavailable',
  'shutting_down',
] as const
