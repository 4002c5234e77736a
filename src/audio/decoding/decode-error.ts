// Why decoding failed, inside the decoder process; its parent converts it to a DecodeFailure.

export type DecodeErrorCode =
  /** the bytes are damaged, or not in the format they claim */
  | 'damaged'
  /** declares what no recorder writes; no other decoder must try it */
  | 'refused'
  /** intact, but this decoder lacks the codec; another may have it */
  | 'unsupported'
  | 'audio_too_long'
  | 'decoder_missing'
  | 'disk_full'
  /** the samples need more space than was reserved for them */
  | 'outgrown'

export class DecodeError extends Error {
  readonly code: DecodeErrorCode
  /** the space it needs, if known */
  readonly needsBytes: number | undefined

  constructor(code: DecodeErrorCode, message: string, needsBytes?: number) {
    super(message)
    this.code = code
    this.needsBytes = needsBytes
  }
}

export const NO_SOUND_TRACK = 'This video has no sound track: there is nothing to transcribe in it.'
