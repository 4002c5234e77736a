// Messages from a decoder process to its parent. decoding/decode-task.ts has the other direction.

import type { Warning } from '../lib/warning.ts'
import type { DecodeErrorCode } from './decoding/decode-error.ts'

export type DecoderReport =
  | { step: 'ready' }
  /** FFmpeg is being compiled or the speech model loaded; this time does not count against the recording */
  | { step: 'loading' }
  | { step: 'loaded' }
  | { step: 'decoded'; samples: number; playsAlike: boolean; warnings: Warning[]; usedFfmpeg: boolean }
  | { step: 'failed'; code: DecodeErrorCode; message: string; needsBytes?: number; usedFfmpeg: boolean }

/** The argument that makes a decoder process compile FFmpeg at start. */
export const PRELOAD_FFMPEG = 'preload-ffmpeg'
