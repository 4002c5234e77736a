// Extracts Opus packets from a WebM or Matroska stream (RFC 9559) while it arrives: sizes may be open, and data may be
// split anywhere. Reads elements flat, as decoding/matroska.ts does for files; that one also seeks and continues after
// damage.

import type { ByteQueue } from '../byte-queue.ts'
import {
  DEFAULT_TIMESTAMP_SCALE,
  MATROSKA_ID as ID,
  integerOf,
  LACINGS,
  MAX_ELEMENT_HEAD_BYTES,
  OPENED,
  readElementHead,
  readLacedSizes,
  readVint,
  TRACK_AUDIO,
} from '../decoding/ebml.ts'
import { type Demuxed, type Demuxer, damaged, MAX_PACKET_BYTES, noOpus, secondStream } from './demuxer.ts'

type Track = {
  number: number
  type: number
  codecId: string
  codecPrivate: Uint8Array
  isEncoded: boolean
  /** codec delay that the timestamps include, in seconds */
  delay: number
}

/**
 * Limit of skipped elements: a frame of a video track may have megabytes. A larger size is damage that would hide all
 * audio.
 */
const MAX_PASSED_BYTES = 64 * 1024 ** 2
/** OpusHead of 255 channels has 276 bytes; the data of other codecs is not used. */
const MAX_FIELD_BYTES = 1024
const MAX_TRACKS = 64
/** A block's header: track number, time and flags. */
const MAX_BLOCK_HEAD_BYTES = 8 + 3

export function createWebmDemuxer(bytes: ByteQueue): Demuxer {
  const tracks: Track[] = []
  let chosen: Track | null = null
  let toPass = 0
  let timestampScale = DEFAULT_TIMESTAMP_SCALE
  let clusterTimestamp = 0
  let hasBegun = false

  const pass = (length: number): 'passed' | 'starved' => {
    const available = Math.min(length, bytes.length())
    bytes.skip(available)
    toPass = length - available
    return toPass > 0 ? 'starved' : 'passed'
  }

  const chooseTrack = (): Track => {
    const track = tracks.find(({ type }) => type === TRACK_AUDIO)
    if (!track) throw damaged('The stream contains no audio track.')
    if (track.codecId !== 'A_OPUS' || track.isEncoded) throw noOpus()
    return track
  }

  const readBlock = (element: { size: number; bytes: number }): Demuxed | 'passed' | 'starved' => {
    const whole = element.bytes + element.size
    const head = bytes.peek(Math.min(whole, element.bytes + MAX_BLOCK_HEAD_BYTES)).subarray(element.bytes)
    if (head.length < Math.min(element.size, MAX_BLOCK_HEAD_BYTES)) return 'starved'
    const isFirst = chosen === null
    const track = chosen ?? chooseTrack()
    const number = readVint(head, 0)
    if (number === null || head.length < number.length + 3) throw damaged('A block of the stream is damaged.')
    if (number.value !== track.number) return pass(whole)
    if (element.size > MAX_PACKET_BYTES) throw damaged('A block of the stream exceeds the maximum size.')
    if (bytes.length() < whole) return 'starved'
    chosen = track
    const block = bytes.take(whole).subarray(element.bytes)
    const ticks = clusterTimestamp + new DataView(block.buffer, block.byteOffset).getInt16(number.length)
    return {
      head: isFirst ? track.codecPrivate : null,
      packets: packetsIn(block, number.length),
      startsAt: (ticks * timestampScale) / 1e9 - track.delay,
      endsAt: null,
    }
  }

  return {
    step() {
      if (toPass > 0) return pass(toPass)
      const head = bytes.peek(MAX_ELEMENT_HEAD_BYTES)
      const element = readElementHead(head)
      if (element === null) {
        if (head.length < MAX_ELEMENT_HEAD_BYTES) return 'starved'
        throw damaged('The stream is damaged.')
      }
      if (element.id === ID.ebml) {
        if (hasBegun) throw secondStream()
        hasBegun = true
      }
      if (element.id === ID.trackEntry && chosen === null) {
        if (tracks.length === MAX_TRACKS) throw damaged('The stream declares too many tracks.')
        tracks.push({
          number: 0,
          type: 0,
          codecId: '',
          codecPrivate: new Uint8Array(),
          isEncoded: false,
          delay: 0,
        })
      }
      if (OPENED.has(element.id)) return pass(element.bytes)
      if (element.id === ID.block || element.id === ID.simpleBlock) return readBlock(element)
      const track = tracks.at(-1)
      const isOfTrack = chosen === null && track !== undefined && FIELDS.has(element.id)
      if ((isOfTrack || CLOCK.has(element.id)) && element.size <= MAX_FIELD_BYTES) {
        if (bytes.length() < element.bytes + element.size) return 'starved'
        const body = bytes.take(element.bytes + element.size).subarray(element.bytes)
        if (element.id === ID.timestampScale) timestampScale = integerOf(body) || timestampScale
        else if (element.id === ID.clusterTimestamp) clusterTimestamp = integerOf(body)
        else readField(track!, element.id, body)
        return 'passed'
      }
      if (element.size > MAX_PASSED_BYTES)
        throw damaged('The stream declares a part that exceeds the maximum size.')
      if (track && element.id === ID.contentEncodings) track.isEncoded = true
      return pass(element.bytes + element.size)
    },
  }
}

const FIELDS = new Set<number>([ID.trackNumber, ID.trackType, ID.codecId, ID.codecPrivate, ID.codecDelay])
const CLOCK = new Set<number>([ID.timestampScale, ID.clusterTimestamp])

function readField(track: Track, id: number, body: Uint8Array): void {
  if (id === ID.trackNumber) track.number = integerOf(body)
  else if (id === ID.trackType) track.type = integerOf(body)
  else if (id === ID.codecDelay) track.delay = integerOf(body) / 1e9
  else if (id === ID.codecPrivate) track.codecPrivate = body
  else track.codecId = String.fromCharCode(...body).replace(/\0+$/, '')
}

/** The non-empty packets in a block. */
function packetsIn(block: Uint8Array, numberBytes: number): Uint8Array[] {
  const lacing = LACINGS[(block[numberBytes + 2]! >> 1) & 3]!
  const laced = readLacedSizes(block, numberBytes + 3, lacing)
  if (laced === null) throw damaged('A block of the stream is damaged.')
  const packets: Uint8Array[] = []
  let at = laced.bodyAt
  for (const size of laced.sizes) {
    if (size > 0) packets.push(block.subarray(at, at + size))
    at += size
  }
  if (at > block.length) throw damaged('A block of the stream is damaged.')
  return packets
}
