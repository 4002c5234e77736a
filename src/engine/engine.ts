// The Engine contract: what every speech recogniser behind this server can be asked.
// Knows one window of at most 30 s; cutting recordings into windows is transcription/.

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
  /** only where a request asks for them, from an engine that has them */
  tokens?: WordToken[]
}

/** What the model wrote, as it was heard: whoever rewrites a word leaves them. A character may be spread over several. */
export type WordToken = { bytes: number[]; logprob: number }

/** A value that an engine cannot give is null, never invented. */
export type Segment = {
  startMs: number
  endMs: number
  text: string
  /** ISO 639-1, what it was heard as; what was kept before this was told has none */
  language?: string
  avgLogprob: number | null
  noSpeechProb: number | null
  words: Word[]
}

export type Task = 'transcribe' | 'translate'

/** How a listener wants to be listened to, whatever is said. */
export type HearingPreferences = {
  /** ISO 639-1: what detection may choose from; none means every language of the model */
  languages: readonly string[]
  /** 0 to 1: what is taken for silence with a higher probability, and is improbable as text, is silence */
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
   * What lies between pauses, in order, some seconds each: where one of these is surely in another language than the
   * rest, or than `language`, that is told instead of text. An engine that cannot tell leaves them alone
   */
  parts?: readonly WindowPart[] | undefined
  task: Task
  /** text that biases recognition; ignored by an engine whose info says `prompt: false` */
  prompt: string | null
  /** those of Whisper's own kind unless given; an engine that cannot honour them listens as it always does */
  preferences?: HearingPreferences | undefined
  /** whether words are to have their tokens; an engine that has none leaves them out */
  tokens?: boolean | undefined
  /**
   * This window was heard just now, and is to be heard once more: more thoroughly, and told what was said before it.
   * Its words are as they are written, and not timed. Not for an engine whose info says `secondPass: false`
   */
  secondPass?: { previousText: string } | undefined
  /** What comes of it is heard again or may still change: no time is spent on what the engine is unsure of. */
  draft?: boolean | undefined
  /**
   * It is soon heard anew, with what is said meanwhile: all others that wait go before it, and what the engine is unsure
   * of stays as it was heard once.
   */
  preview?: boolean | undefined
  /**
   * It may be heard beside others of which the same is said, `windows` at a time; all other windows go before it. The
   * text is the same as alone
   */
  sideBySide?: boolean | undefined
  signal: AbortSignal
  /** a fraction of this window from 0 to 1, rising */
  onProgress?: (fraction: number) => void
  /** each segment as it is found; all of them are in the answer too */
  onSegment?: (segment: Segment) => void
}

export type SpokenLanguage = {
  /** ISO 639-1 */
  language: string
  languageProbability: number | null
}

export type WindowTranscript = SpokenLanguage & {
  segments: Segment[]
  /** of each part that was asked about, only where they are in more than one; nothing is written then */
  languages?: SpokenLanguage[] | undefined
}

export type EngineFailure = {
  code:
    | 'aborted'
    /** the worker died (a trap, out of memory, killed); trying again may succeed */
    | 'engine_crashed'
    /** no answer before the deadline, or no heartbeat; the worker was killed */
    | 'engine_timeout'
    /** the file is truncated, foreign or hostile; trying again will not help */
    | 'model_unreadable'
    /** the server is stopping */
    | 'engine_closed'
  message: string
}

/** What whoever cancelled is told, wherever the work was at that moment. */
export const ABORTED = { code: 'aborted', message: 'The transcription was cancelled.' } as const

export type EngineInfo = {
  /** `whisper.cpp` */
  name: string
  version: string
  threads: number
  simd: 'none' | 'simd128'
  /** what this engine can honour of a WindowRequest and of a Word */
  prompt: boolean
  secondPass: boolean
  translate: boolean
  wordTimes: boolean
  /** how many windows it hears side by side with the model that is loaded; one unless told */
  windows?: number
  /** the largest model file it can hold */
  maxModelBytes: number
}

export type EngineHealth = {
  state: 'unloaded' | 'loading' | 'ready' | 'busy' | 'stuck'
  loadedModel: string | null
  /** how often a worker had to be started again after a trap or a hang */
  restarts: number
}

/**
 * One recogniser. Calls may overlap: windows are served one at a time, in the order asked, but for those side by side.
 * `transcribe` loads its model when another or none is loaded.
 */
export type Engine = {
  info(): EngineInfo
  health(): EngineHealth
  load(model: ModelFile, signal?: AbortSignal): Promise<Result<{ loadMs: number }, EngineFailure>>
  transcribe(request: WindowRequest): Promise<Result<WindowTranscript, EngineFailure>>
  /**
   * Tries the loaded model out while nobody asks, so that the first who does need not wait for what it compiles;
   * gives way to whoever asks meanwhile. Loads nothing.
   */
  rehearse(): void
  /** gives all memory back to the system; the next call loads again */
  unload(): Promise<void>
  /** refuses further calls, kills the worker */
  close(): Promise<void>
}
