// What the server and the process of a recogniser say to each other.
// Holds no behaviour.

import type {
  HearingPreferences,
  ModelFile,
  Segment,
  Task,
  WindowRequest,
  WindowTranscript,
} from './engine.ts'

export type WindowInput = {
  samples: Float32Array
  language: string | null
  parts: WindowRequest['parts']
  task: Task
  prompt: string | null
  preferences: HearingPreferences | undefined
  tokens: boolean | undefined
  secondPass: WindowRequest['secondPass']
  draft: boolean | undefined
}

export type ToRecogniser =
  /** `threadsTried`: these threads have worked in an earlier process, so they need no trying out */
  | { kind: 'load'; model: ModelFile; threads: number; threadsTried: boolean }
  | { kind: 'transcribe'; window: WindowInput }
  /** not answered, and given up for whatever is asked next */
  | { kind: 'rehearse' }

export type RecogniserError = {
  code: 'model_unreadable' | 'threads_broken' | 'engine_crashed'
  message: string
}

export type FromRecogniser =
  /** sent every second from the loop that a healthy process never blocks, but for loading a model */
  | { kind: 'alive' }
  | { kind: 'loaded'; residentBytes: number }
  | { kind: 'progress'; fraction: number }
  | { kind: 'segment'; segment: Segment }
  | { kind: 'transcribed'; transcript: WindowTranscript; residentBytes: number }
  | { kind: 'failed'; error: RecogniserError }
