// The requests of the server to a recogniser process, and what it sends back.

import type { ComputeDevice, ModelFile, Segment, WindowRequest, WindowTranscript } from './engine.ts'
import type { GpuRequest } from './gpu/gpu-request.ts'

/** Every field is required, so that none can be forgotten when a request is copied. */
export type WindowInput = Required<Omit<WindowRequest, 'model' | 'signal' | 'onProgress' | 'onSegment'>>

export type RecogniserRequest =
  /** `threadsTried`: this thread count worked in an earlier process and needs no check */
  | { kind: 'load'; model: ModelFile; threads: number; threadsTried: boolean; gpu: GpuRequest }
  | { kind: 'transcribe'; window: WindowInput }
  /** answered when it begins; the next request cancels it */
  | { kind: 'warmUp' }

export type RecogniserError = {
  code: 'model_unreadable' | 'threads_broken' | 'engine_crashed'
  message: string
}

export type Answer =
  /** `windows`: how many run side by side; `stops`: whether it can stop in the middle of one */
  | { kind: 'loaded'; windows: number; stops: boolean; device: ComputeDevice | null; residentBytes: number }
  | { kind: 'transcribed'; transcript: WindowTranscript; device: ComputeDevice | null; residentBytes: number }
  | { kind: 'warming up' }
  | { kind: 'failed'; error: RecogniserError }

export type WindowEvent = { kind: 'progress'; fraction: number } | { kind: 'segment'; segment: Segment }
