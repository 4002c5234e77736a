// A capture: one recording that is kept, with what was understood of it.
// The domain's own shape; http/ owns the wire's and db/ the row's.

import type { Segment } from '../engine/engine.ts'

export const CAPTURE_SOURCES = ['dictation', 'recording', 'file'] as const
export type CaptureSource = (typeof CAPTURE_SOURCES)[number]

export const CAPTURE_STATUSES = [
  'pending',
  'transcribing',
  'refining',
  'completed',
  'failed',
  'canceled',
] as const
export type CaptureStatus = (typeof CAPTURE_STATUSES)[number]

export const REFINEMENT_STATUSES = ['none', 'rules', 'llm', 'llm_failed'] as const
export type RefinementStatus = (typeof REFINEMENT_STATUSES)[number]

export type CaptureError = { code: string; message: string }

/** Stands on a capture that went into the trash before it had a text; taking it out has it transcribed. */
export const UNHEARD: CaptureError = {
  code: 'trashed',
  message: 'It was put into the trash before it was transcribed; restoring it has it transcribed.',
}

/** Stands on a capture whose recording broke off while it arrived, whatever was understood of it. */
export const UPLOAD_INTERRUPTED: CaptureError = {
  code: 'upload_interrupted',
  message: 'The connection broke while the recording was arriving; what came of it is kept and transcribed.',
}

export type RefinementFlags = { smartCleanup: boolean; selfCorrection: boolean; preserveTechnical: boolean }

/** Where the recording was spoken into; each part as the client told it. */
export type AppContext = {
  appName: string | null
  appId: string | null
  appUrl: string | null
  windowTitle: string | null
}

export type Capture = AppContext & {
  /** UUIDv7 */
  id: string
  source: CaptureSource
  status: CaptureStatus
  error: CaptureError | null
  /** asked for; null is automatic */
  language: string | null
  detectedLanguage: string | null
  languageProbability: number | null
  durationMs: number | null
  transcriptRaw: string
  /** as the engine gave it, never altered afterwards */
  transcriptEngine: string
  transcriptRefined: string | null
  refinementStatus: RefinementStatus
  sttModel: string | null
  llmModel: string | null
  refinementFlags: RefinementFlags | null
  writingStyleId: string | null
  wordCount: number
  /** how many passages of the engine's text the dictionary changed */
  corrections: number
  /** relative to the data folder, with forward slashes */
  audioPath: string
  audioAvailable: boolean
  audioBytes: number
  audioSha256: string
  audioType: string
  /** set by a person; null falls back to the file's name, then to the first words */
  title: string | null
  fileName: string | null
  starred: boolean
  trashedAt: Date | null
  processingMs: { decode: number | null; transcribe: number | null; refine: number | null }
  segments: Segment[]
  createdAt: Date
  updatedAt: Date
  /** counts the changes; the file beside the audio and the row carry the same number when nothing was cut off */
  revision: number
}

/** An earlier state of a capture's transcript, kept when it is replaced. */
export type CaptureVersion = {
  /** counts from 1 */
  number: number
  sttModel: string | null
  language: string | null
  detectedLanguage: string | null
  transcriptRaw: string
  transcriptEngine: string
  transcriptRefined: string | null
  segments: Segment[]
  /** when this state was replaced */
  createdAt: Date
}
