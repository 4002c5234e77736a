// Takes the packets of the first audio stream out of an Ogg file (RFC 3533) and has them decoded.
// Written here because a recording that was cut off must still give all it holds, and a demuxer that
// reads ahead to the end of the file throws on one.

import type { ByteSource } from './byte-source.ts'
import { type Codec, createPacketDecoder, type PacketDecoder } from './codec-packets.ts'
import { DecodeError } from './decode-error.ts'
import { MOST_PAGE_HEAD_BYTES, type OggPageHead, readPageHead } from './ogg-page.ts'
import type { PcmSink, Sound } from './pcm-sink.ts'

/** Comment packets carry pictures; nothing sound is larger. */
const MAX_PACKET_BYTES = 16 * 1024 * 1024

type Page = OggPageHead & { body: Uint8Array }

/** One logical stream: its header packets, then sound. */
type Stream = {
  serial: number
  kind: 'opus' | 'vorbis' | 'flac'
  headers: Uint8Array[]
  headersWanted: number
  decode: PacketDecoder | null
  preSkip: number
  /** samples pushed, at the stream's own rate */
  pushed: number
  partial: Uint8Array[]
}

export async function decodeOgg(source: ByteSource, sink: PcmSink): Promise<void> {
  let stream: Stream | null = null
  let others = 0
  for (let at = 0; at < source.size; ) {
    const page = readPage(source, at)
    if (page === null) {
      at = findPage(source, at + 1)
      continue
    }
    at += page.bytes + page.bodyBytes
    if (page.isFirst && (stream === null || stream.decode !== null)) {
      // All streams that lie side by side begin before any sound: one that begins later follows the first.
      const begun = beginStream(page)
      if (begun === null) others++
      stream = begun ?? stream
    }
    if (stream === null || page.serial !== stream.serial) continue
    await readPackets(stream, page, sink)
    if (page.isLast) stream = null
  }
  if (sink.samples() === 0 && others > 0)
    throw new DecodeError('unsupported', 'The Ogg file holds another codec.')
}

function readPage(source: ByteSource, at: number): Page | null {
  const head = readPageHead(source.read(at, MOST_PAGE_HEAD_BYTES))
  // Copied, because packets that go on in the next page are kept until then.
  return head && { ...head, body: source.read(at + head.bytes, head.bodyBytes).slice() }
}

/** Where the next page starts after damage, or the end of the file. */
function findPage(source: ByteSource, from: number): number {
  const step = 64 * 1024
  for (let at = from; at < source.size; at += step) {
    const found = Buffer.from(source.read(at, step + 3)).indexOf('OggS')
    if (found >= 0) return at + found
  }
  return source.size
}

function beginStream(page: Page): Stream | null {
  const first = String.fromCharCode(...page.body.subarray(0, 8))
  const begin = (kind: Stream['kind'], headersWanted: number): Stream => {
    const preSkip = kind === 'opus' && page.body.length >= 12 ? page.body[10]! | (page.body[11]! << 8) : 0
    return {
      serial: page.serial,
      kind,
      headers: [],
      headersWanted,
      decode: null,
      preSkip,
      pushed: 0,
      partial: [],
    }
  }
  if (first === 'OpusHead') return begin('opus', 2)
  if (first.startsWith('\x01vorbis')) return begin('vorbis', 3)
  if (!first.startsWith('\x7fFLAC')) return null
  // Bytes 7 and 8 count the header packets after this one; 0 means unknown, then there is at least one.
  return begin('flac', 1 + Math.max(1, (page.body[7]! << 8) | page.body[8]!))
}

async function readPackets(stream: Stream, page: Page, sink: PcmSink): Promise<void> {
  if (!page.isContinued) stream.partial = []
  const sounds: Sound[] = []
  let at = 0
  let from = 0
  for (const length of page.lengths) {
    at += length
    if (length === 255) continue
    if (at > page.body.length) break
    const packet = Buffer.concat([...stream.partial, page.body.subarray(from, at)])
    stream.partial = []
    from = at
    const sound = await takePacket(stream, packet, sink)
    if (sound !== null) sounds.push(sound)
  }
  const rest = page.body.subarray(from)
  const held = stream.partial.reduce((sum, part) => sum + part.length, 0)
  if (rest.length > 0 && held < MAX_PACKET_BYTES) stream.partial.push(rest)
  pushSounds(stream, sounds, page, sink)
}

async function takePacket(stream: Stream, packet: Uint8Array, sink: PcmSink): Promise<Sound | null> {
  if (stream.headers.length < stream.headersWanted) {
    stream.headers.push(packet)
    if (stream.headers.length === stream.headersWanted)
      stream.decode = await createPacketDecoder(codecOf(stream), sink)
    return null
  }
  // An encoder that does not say how many headers FLAC has sends more of them here; frames begin with FF F8 or F9.
  if (stream.kind === 'flac' && packet[0] !== 0xff) return null
  return packet.length > 0 ? await stream.decode!(packet) : null
}

function codecOf({ kind, headers }: Stream): Codec {
  if (kind === 'opus') return { name: 'opus', head: headers[0]! }
  if (kind === 'vorbis') return { name: 'vorbis', identification: headers[0]!, setup: headers[2]! }
  return { name: 'flac' }
}

/** The last page's position says where the sound ends; the encoder filled its last packet up beyond that. */
function pushSounds(stream: Stream, sounds: Sound[], page: Page, sink: PcmSink): void {
  const available = sounds.reduce((sum, sound) => sum + sound.channels[0]!.length, 0)
  let keep = available
  if (page.isLast && page.granule > 0 && sounds.length > 0) {
    const rate = stream.kind === 'opus' ? 48_000 : sounds[0]!.rate
    const end = Math.round(((page.granule - stream.preSkip) * sounds[0]!.rate) / rate)
    // A stream whose positions do not start at 0 says nothing about its length.
    if (end > stream.pushed && end < stream.pushed + available) keep = end - stream.pushed
  }
  stream.pushed += keep
  for (const { channels, rate } of sounds) {
    const length = Math.min(keep, channels[0]!.length)
    keep -= length
    if (length > 0)
      sink.push(
        channels.map((samples) => samples.subarray(0, length)),
        rate,
      )
  }
}
