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
  preview: boolean | undefined
  sideBySide: boolean | undefined
}

export type Question =
  /** `threadsTried`: these threads have worked in an earlier process, so they need no trying out */
  | { kind: 'load'; model: ModelFile; threads: number; threadsTried: boolean }
  | { kind: 'transcribe'; window: WindowInput }

export type ToRecogniser =
  /** `id` is that of the answer, and of all that is told before it */
  | { kind: 'question'; id: number; question: Question }
  /** the answer to a window is not wanted any more: whatever comes of it says that the process is ready again */
  | { kind: 'stop'; id: number }
  /** not answered, and given up for whatever is asked next */
  | { kind: 'rehearse' }

export type RecogniserError = {
  code: 'model_unreadable' | 'threads_broken' | 'engine_crashed'
  message: string
}

export type Answer =
  /** `windows`: how many can be heard side by side; `stops`: whether it leaves off when it is told to */
  | { kind: 'loaded'; windows: number; stops: boolean; residentBytes: number }
  | { kind: 'transcribed'; transcript: WindowTranscript; residentBytes: number }
  | { kind: 'failed'; error: RecogniserError }

export type WindowEvent = { kind: 'progress'; fraction: number } | { kind: 'segment'; segment: Segment }

export type FromRecogniser =
  /** sent every second from the loop that a healthy process never blocks, but for loading a model */
  | { kind: 'alive' }
  | { kind: 'told'; id: number; event: WindowEvent }
  | { kind: 'answer'; id: number; answer: Answer }
