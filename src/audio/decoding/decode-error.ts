// Why a decoder stopped, inside the decoder process; becomes a DecodeFailure on the way out.
// Never leaves that process as an exception.

export type DecodeErrorCode =
  /** the bytes are damaged, or not what they claim */
  | 'damaged'
  /** claims what no recorder writes: no decoder shall try */
  | 'refused'
  /** sound, but a codec this decoder does not have: another may */
  | 'unsupported'
  | 'audio_too_long'
  | 'decoder_missing'
  | 'disk_full'
  /** its samples need more room than was reserved for them */
  | 'outgrown'

export class DecodeError extends Error {
  readonly code: DecodeErrorCode
  /** how much room it needs, where that is known */
  readonly needsBytes: number | undefined

  constructor(code: DecodeErrorCode, message: string, needsBytes?: number) {
    super(message)
    this.code = code
    this.needsBytes = needsBytes
  }
}

export const NO_SOUND_TRACK = 'This video has no sound track: there is nothing to transcribe in it.'
