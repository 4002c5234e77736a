// The contract of every speech engine. An engine transcribes one window of at most 30 s.

import type { Result } from '../lib/result.ts'

/** Whisper's input: 16 kHz mono. */
export const SAMPLE_RATE = 16_000

/** Whisper sees 30 s at a time. */
export const MAX_WINDOW_SECONDS = 30

/** A Whisper model file in ggml format on this disk, already checked by models/. */
export type ModelFile = {
  /** catalogue name, such as `tiny.en-q5_1` */
  name: string
  path: string
  bytes: number
  multilingual: boolean
}

/** Times count from the first sample of the window, in milliseconds. */
export type Word = {
  word: string
  startMs: number
  endMs: number
  probability: number | null
  /** only if the request sets `tokens` and the engine has them */
  tokens?: WordToken[]
}

/** The model's own output, unchanged by later rewriting of the word. One character may span several tokens. */
export type WordToken = { bytes: number[]; logprob: number }

/** A value that an engine cannot provide is null. */
export type Segment = {
  startMs: number
  endMs: number
  text: string
  /** ISO 639-1, the language it was decoded in; segments stored by older versions have none */
  language?: string
  avgLogprob: number | null
  noSpeechProb: number | null
  words: Word[]
}

export type Task = 'transcribe' | 'translate'

/** The user's recognition settings, independent of the recording. */
export type RecognitionPreferences = {
  /** ISO 639-1: the languages detection chooses from; empty means every language of the model */
  languages: readonly string[]
  /** 0 to 1: a window with a higher no-speech probability and an improbable text counts as silence */
  noSpeechThreshold: number
}

/** Samples of a window, `to` excluded. */
export type WindowPart = { fromSample: number; toSample: number }

export type WindowRequest = {
  model: ModelFile
  /** 16 kHz mono in −1…1, at most MAX_WINDOW_SECONDS long; finite numbers only */
  samples: Float32Array
  /** ISO 639-1, or null to detect it */
  language: string | null
  /**
   * The parts between pauses, in order, some seconds each. If one is clearly in another language than the rest, or than
   * `language`, the engine returns `languages` instead of text. Ignored by an engine that cannot detect this
   */
  parts?: readonly WindowPart[] | undefined
  task: Task
  /** text that biases recognition; ignored by an engine with `prompt: false` */
  prompt: string | null
  /** defaults to Whisper's own values; ignored by an engine that cannot honour them */
  preferences?: RecognitionPreferences | undefined
  /** return the tokens of each word, if the engine has them */
  tokens?: boolean | undefined
  /**
   * Decode the window just transcribed again, more thoroughly, with the text that precedes it as context. The words of
   * the result are not timed. Not for an engine with `secondPass: false`
   */
  secondPass?: { previousText: string } | undefined
  /** The result is provisional: decode greedily and spend no time on uncertain passages. */
  draft?: boolean | undefined
  /**
   * The caller soon requests this audio again, with what follows it: the window waits for all others, and uncertain
   * passages are decoded once only.
   */
  preview?: boolean | undefined
  /**
   * The window may run beside others with this flag, `EngineInfo.windows` at a time; windows without it come first. The
   * text is the same as when it runs alone
   */
  sideBySide?: boolean | undefined
  signal: AbortSignal
  /** a fraction of this window from 0 to 1, increasing */
  onProgress?: (fraction: number) => void
  /** each segment as soon as it is decoded; the result contains all of them as well */
  onSegment?: (segment: Segment) => void
}

export type SpokenLanguage = {
  /** ISO 639-1 */
  language: string
  languageProbability: number | null
}

export type WindowTranscript = SpokenLanguage & {
  segments: Segment[]
  /** one per entry of `parts`, only if these are in more than one language; `segments` is empty then */
  languages?: SpokenLanguage[] | undefined
  /** if another model transcribed it than the requested one: its name, with the computer that has it */
  model?: string
}

export type EngineFailure = {
  code:
    | 'aborted'
    /** the worker died (a trap, out of memory, killed); a retry may succeed */
    | 'engine_crashed'
    /** no answer before the deadline, or no heartbeat; the worker was killed */
    | 'engine_timeout'
    /** the file is truncated, foreign or hostile; a retry does not help */
    | 'model_unreadable'
    /** the server is stopping */
    | 'engine_closed'
    /** the other server failed or refused the request; the local engine transcribes instead */
    | 'remote_failed'
    | 'remote_refused'
  message: string
}

/** The failure of a cancelled request, whatever stage it had reached. */
export const ABORTED = { code: 'aborted', message: 'The transcription was cancelled.' } as const

/** What computes the loaded model. */
export type ComputeDevice = {
  /** the name of the GPU; null: the CPU */
  gpu: string | null
  /** why, for people */
  reason: string
}

export type EngineInfo = {
  /** `whisper.cpp` */
  name: string
  version: string
  threads: number
  simd: 'none' | 'simd128'
  /** the parts of WindowRequest and Word that this engine supports */
  prompt: boolean
  secondPass: boolean
  translate: boolean
  wordTimes: boolean
  /** how many windows it decodes side by side with the loaded model. @default 1 */
  windows?: number
  /** of the model that was loaded last; absent before, and from an engine that knows only the CPU */
  device?: ComputeDevice | undefined
  /** the largest model file it can load */
  maxModelBytes: number
}

export type EngineHealth = {
  state: 'unloaded' | 'loading' | 'ready' | 'busy' | 'stuck'
  loadedModel: string | null
  /** restarts of the worker after a trap or a hang */
  restarts: number
}

/**
 * Calls may overlap: the engine serves windows one at a time, in order, except for those marked `sideBySide`.
 * `transcribe` loads its model if another or none is loaded.
 */
export type Engine = {
  info(): EngineInfo
  health(): EngineHealth
  load(model: ModelFile, signal?: AbortSignal): Promise<Result<{ loadMs: number }, EngineFailure>>
  transcribe(request: WindowRequest): Promise<Result<WindowTranscript, EngineFailure>>
  /**
   * Runs the loaded model once while the engine is idle, so that the first request does not wait for compilation.
   * Yields to requests. Loads no model.
   */
  warmUp(): void
  /** releases all memory; the next call loads the model again */
  unload(): Promise<void>
  /** rejects further calls and kills the worker */
  close(): Promise<void>
}
