// The output of both live demuxers, and the errors that they share.

import { DecodeError } from '../decoding/decode-error.ts'

export type Demuxed = {
  /** OpusHead (RFC 7845) of the packets' stream; only in the first result */
  head: Uint8Array | null
  packets: readonly Uint8Array[]
  /** when the packets play, in seconds; null if the container does not declare it */
  startsAt: number | null
  /** where the audio ends, in samples at 48 kHz from its beginning; null if the container does not declare it */
  endsAt: number | null
}

/** Reads one part of the container per step, so that its caller can yield between parts. */
export type Demuxer = {
  /**
   * `passed`: skipped something other than audio; `starved`: the next part is incomplete.
   * @throws DecodeError for what no recorder writes
   */
  step(): Demuxed | 'passed' | 'starved'
}

/** 48 frames of 1,275 bytes and their size fields (RFC 6716, section 3.2), with room to spare. */
export const MOST_PACKET_BYTES = 64 * 1024

export const damaged = (what: string): DecodeError => new DecodeError('damaged', what)

export const noOpus = (): DecodeError =>
  new DecodeError('unsupported', 'The stream uses another codec than Opus. Send Opus.')

export const secondStream = (): DecodeError =>
  new DecodeError(
    'unsupported',
    'A second recording begins within the stream. Open a socket for each recording.',
  )
