// Messages between a decoder process and its parent.

import type { Warning } from '../lib/warning.ts'
import type { DecodeErrorCode } from './decoding/decode-error.ts'
import type { DecodeTask } from './decoding/decode-task.ts'

/** `start` is the first request of a process; it also compiles FFmpeg if that is wanted, without waiting for it. */
export type DecoderRequest =
  | { step: 'start'; preloadFfmpeg: boolean; decodersFolder: string | null }
  | { step: 'decode'; task: DecodeTask }

/** While FFmpeg is compiled or the speech model loaded, the time does not count against the recording. */
export type DecoderEvent = 'loading' | 'loaded'

export type DecoderReport =
  | { step: 'decoded'; samples: number; playsAlike: boolean; warnings: Warning[]; usedFfmpeg: boolean }
  | { step: 'failed'; code: DecodeErrorCode; message: string; needsBytes?: number; usedFfmpeg: boolean }

export type DecoderAnswer = DecoderReport | { step: 'started' }
