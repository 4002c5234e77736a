// Takes Opus out of Ogg (RFC 3533, RFC 7845) while it arrives, page by page; a page has 64 KB at most.
// Where sound ends is reckoned as in decoding/ogg.ts, which reads files, and goes on behind damage.

import type { ByteQueue } from './byte-queue.ts'
import { type Demuxer, damaged, MOST_PACKET_BYTES, noOpus, secondStream, type Unpacked } from './unpacked.ts'

const HEADER_BYTES = 27
const FLAG_CONTINUED = 1
const FLAG_FIRST = 2
const FLAG_LAST = 4
const NAME = [...'OggS'].map((letter) => letter.charCodeAt(0))

type Page = {
  flags: number
  granule: number
  serial: number
  lengths: Uint8Array
  body: Uint8Array
}

type Stream = {
  serial: number
  preSkip: number
  /** `tags` is a packet of any size, which nobody reads */
  awaits: 'tags' | 'sound'
  /** of the packet that goes on in the next page */
  begun: Uint8Array
}

export function createOggDemuxer(bytes: ByteQueue): Demuxer {
  let stream: Stream | null = null
  let hasSound = false

  const begin = (page: Page): Unpacked | 'passed' => {
    if (hasSound) throw secondStream()
    // Streams that lie side by side all begin before any sound.
    if (stream || !isOpusHead(page.body)) return 'passed'
    const preSkip = page.body[10]! | (page.body[11]! << 8)
    stream = { serial: page.serial, preSkip, awaits: 'tags', begun: new Uint8Array() }
    return { head: page.body, packets: [], endsAt: null }
  }

  return {
    step() {
      const page = readPage(bytes)
      if (page === null) return 'starved'
      if (page.flags & FLAG_FIRST) return begin(page)
      if (!stream) throw noOpus()
      if (page.serial !== stream.serial) return 'passed'
      const packets = packetsOf(stream, page)
      hasSound ||= packets.length > 0
      const isEnd = (page.flags & FLAG_LAST) !== 0 && page.granule > 0
      return { head: null, packets, endsAt: isEnd ? page.granule - stream.preSkip : null }
    },
  }
}

const isOpusHead = (body: Uint8Array): boolean =>
  body.length >= 19 && String.fromCharCode(...body.subarray(0, 8)) === 'OpusHead'

/** Null where the next one is not whole yet. */
function readPage(bytes: ByteQueue): Page | null {
  const head = bytes.peek(HEADER_BYTES + 255)
  if (NAME.some((byte, at) => at < head.length && head[at] !== byte)) throw damaged('The stream is damaged.')
  const segments = head[HEADER_BYTES - 1]
  if (segments === undefined || head.length < HEADER_BYTES + segments) return null
  const lengths = head.slice(HEADER_BYTES, HEADER_BYTES + segments)
  const bodyBytes = lengths.reduce((sum, length) => sum + length, 0)
  if (bytes.length() < HEADER_BYTES + segments + bodyBytes) return null
  const fields = new DataView(head.buffer, head.byteOffset, HEADER_BYTES)
  const flags = head[5]!
  const granule = Number(fields.getBigInt64(6, true))
  const serial = fields.getUint32(14, true)
  bytes.skip(HEADER_BYTES + segments)
  return { flags, granule, serial, lengths, body: bytes.take(bodyBytes) }
}

/** Packets of sound that end in this page; those that are empty are left out. */
function packetsOf(stream: Stream, { flags, lengths, body }: Page): Uint8Array[] {
  if (!(flags & FLAG_CONTINUED)) stream.begun = new Uint8Array()
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
  if (stream.begun.length > MOST_PACKET_BYTES) throw damaged('A packet of the stream is larger than any is.')
  return packets.filter((packet) => packet.length > 0)
}

const joined = (begun: Uint8Array, rest: Uint8Array): Uint8Array =>
  begun.length === 0 ? rest : Buffer.concat([begun, rest])
