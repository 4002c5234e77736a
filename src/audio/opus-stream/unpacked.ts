// What is taken out of a container while it arrives, whichever it is.
// Types and the refusals that both containers share; the containers are webm-demuxer.ts and ogg-demuxer.ts.

import { DecodeError } from '../decoding/decode-error.ts'

export type Unpacked = {
  /** OpusHead (RFC 7845) of the stream that the packets are of; null once it was given */
  head: Uint8Array | null
  packets: readonly Uint8Array[]
  /** when they play, in seconds; null where the container does not say */
  startsAt: number | null
  /** where the sound ends, in samples at 48 kHz from its beginning; null where the container does not say */
  endsAt: number | null
}

/** Reads no further than one part of the container at a time, so that its caller can pause between them. */
export type Demuxer = {
  /**
   * `passed`: something that is no sound; `starved`: what comes next is not whole yet.
   * @throws DecodeError for what no recorder writes
   */
  step(): Unpacked | 'passed' | 'starved'
}

/** 48 frames of 1,275 bytes and what says how long they are (RFC 6716, section 3.2), with room to spare. */
export const MOST_PACKET_BYTES = 64 * 1024

export const damaged = (what: string): DecodeError => new DecodeError('damaged', what)

export const noOpus = (): DecodeError =>
  new DecodeError('unsupported', 'The stream holds another codec than Opus.')

export const secondStream = (): DecodeError =>
  new DecodeError('unsupported', 'A second recording begins within the stream: open a socket for each.')
