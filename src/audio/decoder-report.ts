// What a decoder process tells its parent.
// Types only; the task that goes the other way is decoding/decode-task.ts.

import type { Warning } from '../lib/warning.ts'
import type { DecodeErrorCode } from './decoding/decode-error.ts'

export type DecoderReport =
  | { step: 'ready' }
  /** FFmpeg is being compiled, or the speech model read: our own code takes that time, not the recording */
  | { step: 'loading' }
  | { step: 'loaded' }
  | { step: 'decoded'; samples: number; playsAlike: boolean; warnings: Warning[]; usedFfmpeg: boolean }
  | { step: 'failed'; code: DecodeErrorCode; message: string; needsBytes?: number; usedFfmpeg: boolean }

/** The argument that has a decoder process compile FFmpeg before it is asked to. */
export const PRELOAD_FFMPEG = 'preload-ffmpeg'
