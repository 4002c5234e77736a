// Extracts the packets of one audio stream from an Ogg file (RFC 3533) and decodes them at their times. Our own
// demuxer, because a truncated recording must yield all it contains, and a demuxer that reads ahead to the end of the
// file throws on it.

import type { AudioTrack, OpenedRecording } from './audio-track.ts'
import { type ByteSource, findBytes } from './byte-source.ts'
import { type Codec, createPacketDecoder, type PacketDecoder } from './codec-packets.ts'
import { DecodeError } from './decode-error.ts'
import { MAX_PAGE_HEAD_BYTES, type OggPageHead, readPageHead } from './ogg-page.ts'
import type { PcmSink, Sound } from './pcm-sink.ts'
import { isHole } from './timeline.ts'

/** Comment packets may contain pictures; no audio packet is larger. */
const MAX_PACKET_BYTES = 16 * 1024 * 1024

/** The signature of a page. */
const PAGE_NAME = Buffer.from('OggS')

const OPUS_CLOCK = 48_000

type Page = OggPageHead & { body: Uint8Array }

/** One logical stream: header packets, then audio. */
type Stream = {
  serial: number
  kind: 'opus' | 'vorbis' | 'flac'
  headers: Uint8Array[]
  headersWanted: number
  decode: PacketDecoder | null
  preSkip: number
  /** samples pushed, holes included, at the stream's own rate */
  pushed: number
  /** start of the stream in the recording, in seconds */
  from: number
  /** the stream's first position, from which players count; null before any audio */
  first: number | null
  partial: Uint8Array[]
}

export function openOgg(source: ByteSource): OpenedRecording {
  const tracks = readTracks(source)
  return {
    tracks,
    decode: (sink, wanted) => decodeStream(source, sink, wanted === null ? 0 : tracks.indexOf(wanted)),
  }
}

function* pagesOf(source: ByteSource): Generator<Page> {
  for (let at = 0; at < source.size; ) {
    const page = readPage(source, at)
    if (page === null) {
      at = findBytes(source, PAGE_NAME, at + 1)
      continue
    }
    at += page.bytes + page.bodyBytes
    yield page
  }
}

/** Parallel streams all begin before any audio. */
function readTracks(source: ByteSource): AudioTrack[] {
  const tracks: AudioTrack[] = []
  for (const page of pagesOf(source)) {
    if (!page.isFirst) break
    if (beginStream(page, 0) !== null)
      tracks.push({ id: page.serial, isDefault: false, language: null, title: null })
  }
  return tracks
}

/** @param position index of the stream among parallel ones, also in recordings appended to the first */
async function decodeStream(source: ByteSource, sink: PcmSink, position: number): Promise<void> {
  let stream: Stream | null = null
  let begun = 0
  let areBeginning = false
  let others = 0
  let hasAudio = false
  for (const page of pagesOf(source)) {
    if (page.isFirst) {
      if (!areBeginning) begun = 0
      const next = beginStream(page, sink.reached())
      if (next === null) others++
      else if (begun++ <= position) stream = next
    }
    areBeginning = page.isFirst
    if (stream === null || page.serial !== stream.serial) continue
    await readPackets(stream, page, sink)
    hasAudio ||= stream.pushed > 0
    if (page.isLast) stream = null
  }
  if (!hasAudio && others > 0) throw new DecodeError('unsupported', 'The Ogg file uses an unsupported codec.')
}

function readPage(source: ByteSource, at: number): Page | null {
  const head = readPageHead(source.read(at, MAX_PAGE_HEAD_BYTES))
  // Copied, because a packet that continues on the next page is held until then.
  return head && { ...head, body: source.read(at + head.bytes, head.bodyBytes).slice() }
}

/** @param from start in the recording, in seconds */
function beginStream(page: Page, from: number): Stream | null {
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
      from,
      first: null,
      partial: [],
    }
  }
  if (first === 'OpusHead') return begin('opus', 2)
  if (first.startsWith('\x01vorbis')) return begin('vorbis', 3)
  if (!first.startsWith('\x7fFLAC')) return null
  // Bytes 7 and 8 count the header packets after this one; 0 means unknown, in which case there is at least one.
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
  // If an encoder does not declare the number of FLAC headers, more follow here; frames begin with FF F8 or F9.
  if (stream.kind === 'flac' && packet[0] !== 0xff) return null
  return packet.length > 0 ? await stream.decode!(packet) : null
}

function codecOf({ kind, headers }: Stream): Codec {
  if (kind === 'opus') return { name: 'opus', head: headers[0]! }
  if (kind === 'vorbis') return { name: 'vorbis', identification: headers[0]!, setup: headers[2]! }
  return { name: 'flac' }
}

/**
 * A page's position is where its audio ends. That is less than the decoded audio if the encoder padded its last packet,
 * and more if pages are missing.
 */
function pushSounds(stream: Stream, sounds: Sound[], page: Page, sink: PcmSink): void {
  const [{ rate } = { rate: 0 }] = sounds
  if (rate === 0) return
  const available = sounds.reduce((sum, sound) => sum + sound.channels[0]!.length, 0)
  const clock = stream.kind === 'opus' ? OPUS_CLOCK : rate
  const end = Math.round(((page.granule - stream.preSkip) * rate) / clock)
  // On a truncated page the missing packets would look like a hole.
  if (page.granule > 0 && page.body.length === page.bodyBytes) {
    stream.first ??= Math.max(0, end - available)
    const start = end - available - stream.first
    if (isHole((start - stream.pushed) / rate)) {
      sink.at(stream.from + start / rate)
      stream.pushed = start
    }
  }
  let keep = available
  if (page.isLast && page.granule > 0) {
    // If the positions of a stream do not start at 0, they say nothing about its length.
    if (end > stream.pushed && end < stream.pushed + available) keep = end - stream.pushed
  }
  stream.pushed += keep
  for (const { channels } of sounds) {
    const length = Math.min(keep, channels[0]!.length)
    keep -= length
    if (length > 0)
      sink.push(
        channels.map((samples) => samples.subarray(0, length)),
        rate,
      )
  }
}
