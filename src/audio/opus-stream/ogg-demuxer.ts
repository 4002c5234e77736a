// Extracts Opus packets from an Ogg stream (RFC 3533, RFC 7845) while it arrives, page by page; a page has at most 64
// KB. Computes times as decoding/ogg.ts does for files, but stops at damage.

import type { ByteQueue } from '../byte-queue.ts'
import { beginsPage, MAX_PAGE_HEAD_BYTES, type OggPageHead, readPageHead } from '../decoding/ogg-page.ts'
import {
  type Demuxed,
  type Demuxer,
  damaged,
  MAX_PACKET_BYTES,
  noOpus,
  opusSamples,
  secondStream,
} from './demuxer.ts'

type Page = OggPageHead & { body: Uint8Array }

const OPUS_CLOCK = 48_000

type Stream = {
  serial: number
  preSkip: number
  /** `tags` is a packet of any size, which is skipped */
  awaits: 'tags' | 'sound'
  /** the stream's first position, from which players count, in samples at 48 kHz; null before any audio */
  first: number | null
  /** the packet that continues on the next page, so far */
  begun: Uint8Array
}

export function createOggDemuxer(bytes: ByteQueue): Demuxer {
  let stream: Stream | null = null
  let hasSound = false

  const begin = (page: Page): Demuxed | 'passed' => {
    if (hasSound) throw secondStream()
    // Parallel streams all begin before any audio.
    if (stream || !isOpusHead(page.body)) return 'passed'
    const preSkip = page.body[10]! | (page.body[11]! << 8)
    stream = { serial: page.serial, preSkip, awaits: 'tags', first: null, begun: new Uint8Array() }
    return { head: page.body, packets: [], startsAt: null, endsAt: null }
  }

  return {
    step() {
      const page = readPage(bytes)
      if (page === null) return 'starved'
      if (page.isFirst) return begin(page)
      if (!stream) throw noOpus()
      if (page.serial !== stream.serial) return 'passed'
      const packets = packetsOf(stream, page)
      hasSound ||= packets.length > 0
      const isEnd = page.isLast && page.granule > 0
      return {
        head: null,
        packets,
        startsAt: startOf(stream, page, packets),
        endsAt: isEnd ? page.granule - stream.preSkip : null,
      }
    },
  }
}

/** A page's position is where its audio ends. */
function startOf(stream: Stream, page: Page, packets: Uint8Array[]): number | null {
  if (page.granule <= 0 || packets.length === 0) return null
  const samples = packets.reduce((sum, packet) => sum + (opusSamples(packet) ?? 0), 0)
  const position = page.granule - stream.preSkip - samples
  stream.first ??= Math.max(0, position)
  return (position - stream.first) / OPUS_CLOCK
}

const isOpusHead = (body: Uint8Array): boolean =>
  body.length >= 19 && String.fromCharCode(...body.subarray(0, 8)) === 'OpusHead'

/** Null if the next page is incomplete. */
function readPage(bytes: ByteQueue): Page | null {
  const peeked = bytes.peek(MAX_PAGE_HEAD_BYTES)
  if (!beginsPage(peeked)) throw damaged('The stream is damaged.')
  const head = readPageHead(peeked)
  if (head === null || bytes.length() < head.bytes + head.bodyBytes) return null
  bytes.skip(head.bytes)
  return { ...head, body: bytes.take(head.bodyBytes) }
}

/** The non-empty audio packets that end in this page. */
function packetsOf(stream: Stream, { isContinued, lengths, body }: Page): Uint8Array[] {
  if (!isContinued) stream.begun = new Uint8Array()
  const packets: Uint8Array[] = []
  let from = 0
  let to = 0
  for (const length of lengths) {
    to += length
    if (length === 255) continue
    if (stream.awaits === 'tags') stream.awaits = 'sound'
    else packets.push(joined(stream.begun, body.subarray(from, to)))
    stream.begun = new Uint8Array()
    from = to
  }
  if (stream.awaits === 'sound') stream.begun = joined(stream.begun, body.subarray(from))
  if (stream.begun.length > MAX_PACKET_BYTES)
    throw damaged('A packet of the stream exceeds the maximum size.')
  return packets.filter((packet) => packet.length > 0)
}

const joined = (begun: Uint8Array, rest: Uint8Array): Uint8Array =>
  begun.length === 0 ? rest : Buffer.concat([begun, rest])
