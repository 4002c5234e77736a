// The messages between the server and a recogniser process.

import type {
  ModelFile,
  RecognitionPreferences,
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
  preferences: RecognitionPreferences | undefined
  tokens: boolean | undefined
  secondPass: WindowRequest['secondPass']
  draft: boolean | undefined
  preview: boolean | undefined
  sideBySide: boolean | undefined
}

export type RecogniserRequest =
  /** `threadsTried`: this thread count worked in an earlier process and needs no check */
  | { kind: 'load'; model: ModelFile; threads: number; threadsTried: boolean }
  | { kind: 'transcribe'; window: WindowInput }

export type ToRecogniser =
  /** the events and the answer carry the same `id` */
  | { kind: 'request'; id: number; request: RecogniserRequest }
  /** cancels a window; any answer to it means that the process is ready again */
  | { kind: 'stop'; id: number }
  /** has no answer; the next request cancels it */
  | { kind: 'warmUp' }

export type RecogniserError = {
  code: 'model_unreadable' | 'threads_broken' | 'engine_crashed'
  message: string
}

export type Answer =
  /** `windows`: how many run side by side; `stops`: whether it honours `stop` */
  | { kind: 'loaded'; windows: number; stops: boolean; residentBytes: number }
  | { kind: 'transcribed'; transcript: WindowTranscript; residentBytes: number }
  | { kind: 'failed'; error: RecogniserError }

export type WindowEvent = { kind: 'progress'; fraction: number } | { kind: 'segment'; segment: Segment }

export type FromRecogniser =
  /** sent every second from the event loop, which a healthy process blocks only while it loads a model */
  | { kind: 'alive' }
  | { kind: 'event'; id: number; event: WindowEvent }
  | { kind: 'answer'; id: number; answer: Answer }
