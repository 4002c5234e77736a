// What both live demuxers share: their output, their errors, and the length of an Opus packet (RFC 6716).

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
export const MAX_PACKET_BYTES = 64 * 1024

export const damaged = (what: string): DecodeError => new DecodeError('damaged', what)

export const noOpus = (): DecodeError =>
  new DecodeError('unsupported', 'The stream uses another codec than Opus. Send Opus.')

export const secondStream = (): DecodeError =>
  new DecodeError(
    'unsupported',
    'A second recording begins within the stream. Open a socket for each recording.',
  )

/** Samples per frame at 48 kHz, by the packet's configuration: SILK, then hybrid, then CELT. */
const SILK = [480, 960, 1920, 2880]
const HYBRID = [480, 960]
const CELT = [120, 240, 480, 960]

const MAX_FRAME_BYTES = 1275
/** 120 ms */
const MAX_SAMPLES = 5760

const frameSamples = (configuration: number): number => {
  if (configuration < 12) return SILK[configuration & 3]!
  return configuration < 16 ? HYBRID[configuration & 1]! : CELT[configuration & 3]!
}

/** In samples at 48 kHz; null for an invalid packet. */
export function opusSamples(packet: Uint8Array): number | null {
  if (packet.length === 0) return null
  const sizes = frameSizes(packet)
  if (sizes === null || sizes.some((size) => size < 0 || size > MAX_FRAME_BYTES)) return null
  const samples = sizes.length * frameSamples(packet[0]! >> 3)
  return samples > MAX_SAMPLES ? null : samples
}

/** Sizes are negative if the frames do not fit. */
function frameSizes(packet: Uint8Array): number[] | null {
  const rest = packet.length - 1
  switch (packet[0]! & 3) {
    case 0:
      return [rest]
    case 1:
      return rest % 2 === 0 ? [rest / 2, rest / 2] : null
    case 2: {
      const first = readSize(packet, 1)
      return first && [first.size, packet.length - first.at - first.size]
    }
    default:
      return manySizes(packet)
  }
}

function manySizes(packet: Uint8Array): number[] | null {
  const counted = packet[1]
  if (counted === undefined) return null
  const count = counted & 0x3f
  const padded = (counted & 0x40) !== 0 ? readPadding(packet, 2) : { at: 2, end: packet.length }
  if (count === 0 || padded === null) return null
  const { end } = padded
  let { at } = padded
  if ((counted & 0x80) === 0) {
    const size = (end - at) / count
    return Number.isInteger(size) ? Array.from({ length: count }, () => size) : null
  }
  const sizes: number[] = []
  while (sizes.length < count - 1) {
    const next = readSize(packet, at)
    if (next === null) return null
    sizes.push(next.size)
    at = next.at
  }
  return [...sizes, end - at - sizes.reduce((sum, size) => sum + size, 0)]
}

/** Each 255 means 254 bytes of padding, and that the number continues. */
function readPadding(packet: Uint8Array, from: number): { at: number; end: number } | null {
  let end = packet.length
  for (let at = from; at < packet.length; at++) {
    const byte = packet[at]!
    end -= byte === 255 ? 254 : byte
    if (byte !== 255) return { at: at + 1, end }
  }
  return null
}

/** One byte, or two if the first is 252 or more. */
function readSize(packet: Uint8Array, at: number): { size: number; at: number } | null {
  const [first, second] = [packet[at], packet[at + 1]]
  if (first === undefined) return null
  if (first < 252) return { size: first, at: at + 1 }
  return second === undefined ? null : { size: first + 4 * second, at: at + 2 }
}

export type OpusContainer = 'webm' | 'ogg'

const STARTS = { webm: '\x1a\x45\xdf\xa3', ogg: 'OggS' } as const

/** `unclear` if there are too few bytes to decide. */
export function opusContainerOf(bytes: Uint8Array): OpusContainer | 'unclear' | null {
  for (const container of ['webm', 'ogg'] as const) {
    const start = STARTS[container]
    const there = String.fromCharCode(...bytes.subarray(0, start.length))
    if (there === start) return container
    if (start.startsWith(there)) return 'unclear'
  }
  return null
}
