// Extracts the packets of one audio track from a WebM or Matroska file (RFC 9559) and decodes them at their times.
// Our own demuxer, because browsers leave sizes open and recordings get truncated. It reads elements flat, without
// nesting or read-ahead, so that it decodes all that arrived, and its position only grows, whatever the file declares.

import type { OpenedRecording } from './audio-track.ts'
import { type ByteSource, findBytes } from './byte-source.ts'
import { type Codec, createPacketDecoder, type PacketDecoder } from './codec-packets.ts'
import { DecodeError, NO_SOUND_TRACK } from './decode-error.ts'
import {
  DEFAULT_TIMESTAMP_SCALE,
  type Element,
  MATROSKA_ID as ID,
  integerOf,
  LACINGS,
  OPENED,
  readElement,
  readLacedSizes,
  readVint,
  TRACK_AUDIO,
  TRACK_VIDEO,
} from './ebml.ts'
import type { PcmSink } from './pcm-sink.ts'
import { integerFormat } from './sample-formats.ts'
import { startOfTimeline } from './timeline.ts'

/** The element id of a cluster. */
const CLUSTER = Buffer.from([0x1f, 0x43, 0xb6, 0x75])
const MAX_FIELD_BYTES = 4 * 1024 * 1024

type Track = {
  number: number
  type: number
  codecId: string
  codecPrivate: Uint8Array
  rate: number
  channels: number
  bitDepth: number
  encoded: boolean
  isDefault: boolean
  language: string
  title: string | null
  /** codec delay that the timestamps include, in seconds */
  delay: number
}

export function openMatroska(source: ByteSource): OpenedRecording {
  const tracks = readTracks(source).filter(({ type }) => type === TRACK_AUDIO)
  return {
    tracks: tracks.map((track) => ({
      id: track.number,
      isDefault: track.isDefault,
      language: track.language,
      title: track.title,
    })),
    async decode(sink, wanted) {
      await decodeTrack(source, sink, wanted?.id)
      sink.lastUntil(videoEnd(source))
    },
  }
}

/** Yields elements in file order, parents before their children; skips damaged parts. */
function* elementsOf(source: ByteSource): Generator<Element> {
  for (let at = 0; at < source.size; ) {
    const element = readElement(source, at)
    if (element === null) {
      at = findBytes(source, CLUSTER, at + 1)
      continue
    }
    const end = element.bodyAt + element.size
    if (!OPENED.has(element.id) && end > source.size) {
      // Truncated, or a damaged size: half a packet would decode to noise, but whole clusters may follow.
      at = findBytes(source, CLUSTER, at + 1)
      continue
    }
    at = OPENED.has(element.id) ? element.bodyAt : end
    yield element
  }
}

const isBlock = ({ id }: Element): boolean => id === ID.block || id === ID.simpleBlock

/** The tracks declared before the first block. */
function readTracks(source: ByteSource): Track[] {
  const tracks: Track[] = []
  for (const element of elementsOf(source)) {
    if (isBlock(element)) break
    addTrack(tracks, element, source)
  }
  return tracks
}

function addTrack(tracks: Track[], element: Element, source: ByteSource): void {
  if (element.id === ID.trackEntry) tracks.push(emptyTrack())
  else if (tracks.length > 0) readTrackField(tracks[tracks.length - 1]!, element, source)
}

/** @param wanted track number; if undefined, or missing in a joined file, the first audio track is used */
async function decodeTrack(source: ByteSource, sink: PcmSink, wanted: number | undefined): Promise<void> {
  let current = null as { tracks: Track[]; track: Track; decode: PacketDecoder } | null
  for (const { element, head, seconds, tracks } of blocksOf(source, () => sink.reached())) {
    if (current?.tracks !== tracks) current = { tracks, ...(await chooseTrack(tracks, sink, wanted)) }
    const { track, decode } = current
    if (head.track !== track.number) continue
    sink.at(seconds - track.delay)
    const block = source.read(element.bodyAt, element.size).slice()
    for (const packet of packetsOf(block, head)) {
      const sound = await decode(packet)
      if (sound !== null) sink.push(sound.channels, sound.rate)
    }
  }
  if (current === null) throw new DecodeError('damaged', NO_SOUND_TRACK)
}

async function chooseTrack(
  tracks: Track[],
  sink: PcmSink,
  wanted: number | undefined,
): Promise<{ track: Track; decode: PacketDecoder }> {
  const sounds = tracks.filter(({ type }) => type === TRACK_AUDIO)
  const track = sounds.find(({ number }) => number === wanted) ?? sounds[0]
  if (track === undefined) throw new DecodeError('damaged', NO_SOUND_TRACK)
  const codec = codecOf(track)
  if (codec === null) throw new DecodeError('unsupported', 'The recording uses an unsupported codec.')
  return { track, decode: await createPacketDecoder(codec, sink) }
}

/** How long the last video frame may last. */
const LONGEST_PICTURE_SECONDS = 1

/** When the video ends, in seconds of the recording; 0 if there is none. */
export function videoEnd(source: ByteSource): number {
  const videos = new Set(
    readTracks(source).flatMap(({ type, number }) => (type === TRACK_VIDEO ? number : [])),
  )
  let end = 0
  if (videos.size === 0) return end
  let reached = 0
  for (const { head, seconds } of blocksOf(source, () => reached)) {
    reached = Math.max(reached, seconds)
    if (videos.has(head.track)) end = Math.max(end, seconds)
  }
  const declared = declaredSeconds(source)
  return declared > end && declared <= end + LONGEST_PICTURE_SECONDS ? declared : end
}

/** The length in the file's header, in seconds; 0 if it has none. */
export function declaredSeconds(source: ByteSource): number {
  let scale = DEFAULT_TIMESTAMP_SCALE
  let ticks = 0
  for (const element of elementsOf(source)) {
    if (isBlock(element)) break
    if (element.id === ID.timestampScale) scale = integerIn(source, element) || scale
    else if (element.id === ID.duration) ticks = readFloat(source.read(element.bodyAt, element.size)) ?? 0
  }
  return (ticks * scale) / 1e9
}

/** `tracks`: those of the file that contains the block; the same array for all blocks of one file. */
type Block = { element: Element; head: BlockHead; seconds: number; tracks: Track[] }

/** @param reached returns the seconds before this file, for a joined file whose clock restarts at 0 */
function* blocksOf(source: ByteSource, reached: () => number): Generator<Block> {
  let clock = createClock(0)
  let tracks: Track[] = []
  for (const element of elementsOf(source)) {
    if (element.id === ID.ebml) {
      // A second file was appended to the first; it has its own clock and tracks.
      clock = createClock(reached())
      tracks = []
    } else if (element.id === ID.timestampScale) clock.scale = integerIn(source, element) || clock.scale
    else if (element.id === ID.clusterTimestamp) clock.cluster = integerIn(source, element)
    if (!isBlock(element)) addTrack(tracks, element, source)
    if (!isBlock(element) || element.size > MAX_FIELD_BYTES) continue
    const head = readBlockHead(source.read(element.bodyAt, Math.min(element.size, BLOCK_HEAD_BYTES)))
    if (head !== null) yield { element, head, seconds: clock.at(head.timestamp), tracks }
  }
}

/** @param from position of the clock's 0, in seconds of the recording */
function createClock(from: number) {
  let start: number | null = null
  return {
    scale: DEFAULT_TIMESTAMP_SCALE,
    cluster: 0,
    at(timestamp: number): number {
      const seconds = ((this.cluster + timestamp) * this.scale) / 1e9
      start ??= startOfTimeline(seconds)
      return from + seconds - start
    },
  }
}

function emptyTrack(): Track {
  // Default rate, channels and depth as the format defines them.
  const codecPrivate = new Uint8Array(0)
  return {
    number: 0,
    type: 0,
    codecId: '',
    codecPrivate,
    rate: 8000,
    channels: 1,
    bitDepth: 16,
    encoded: false,
    isDefault: true,
    language: 'eng',
    title: null,
    delay: 0,
  }
}

function readTrackField(track: Track, element: Element, source: ByteSource): void {
  if (element.size > MAX_FIELD_BYTES) return
  const body = () => source.read(element.bodyAt, element.size)
  const integer = () => integerIn(source, element)
  const text = () => textOf(body())
  if (element.id === ID.trackNumber) track.number = integer()
  else if (element.id === ID.trackType) track.type = integer()
  else if (element.id === ID.codecId) track.codecId = text()
  else if (element.id === ID.codecPrivate) track.codecPrivate = body().slice()
  else if (element.id === ID.contentEncodings) track.encoded = true
  else if (element.id === ID.flagDefault) track.isDefault = integer() !== 0
  else if (element.id === ID.language || element.id === ID.languageTag) track.language = text()
  else if (element.id === ID.trackName) track.title = text()
  else if (element.id === ID.codecDelay) track.delay = integer() / 1e9
  else if (element.id === ID.channels) track.channels = integer()
  else if (element.id === ID.bitDepth) track.bitDepth = integer()
  else if (element.id === ID.samplingFrequency) track.rate = readFloat(body()) ?? track.rate
}

function readFloat(bytes: Uint8Array): number | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length === 4) return view.getFloat32(0)
  return bytes.length === 8 ? view.getFloat64(0) : null
}

const integerIn = (source: ByteSource, { bodyAt, size }: Element): number =>
  integerOf(source.read(bodyAt, Math.min(size, 8)))

const MAX_TEXT_BYTES = 256

const textOf = (bytes: Uint8Array): string =>
  new TextDecoder().decode(bytes.subarray(0, MAX_TEXT_BYTES)).replace(/\0+$/, '')

function codecOf(track: Track): Codec | null {
  if (track.encoded) return null
  const { codecId, codecPrivate, rate, channels, bitDepth } = track
  if (codecId === 'A_OPUS') return { name: 'opus', head: codecPrivate }
  if (codecId === 'A_FLAC') return { name: 'flac' }
  if (/^A_MPEG\/L[123]$/.test(codecId)) return { name: 'mp3' }
  if (codecId === 'A_VORBIS') return vorbisHeaders(codecPrivate)
  const layout = { littleEndian: true, rate, channels }
  if (codecId === 'A_PCM/FLOAT/IEEE')
    return { name: 'pcm', layout: { ...layout, sample: bitDepth === 64 ? 'f64' : 'f32' } }
  if (codecId !== 'A_PCM/INT/LIT') return null
  return { name: 'pcm', layout: { ...layout, sample: integerFormat(Math.ceil(bitDepth / 8), 'u8') } }
}

/** Three consecutive header packets; Xiph lacing in front gives the lengths of the first two. */
function vorbisHeaders(data: Uint8Array): Codec {
  const laced = readLacedSizes(data, 0, 'xiph')
  const [first, second, third] = laced?.sizes ?? []
  if (laced === null || third === undefined) throw new DecodeError('damaged', 'The Vorbis header is damaged.')
  const setupAt = laced.bodyAt + first! + second!
  const identification = data.subarray(laced.bodyAt, laced.bodyAt + first!)
  return { name: 'vorbis', identification, setup: data.subarray(setupAt, setupAt + third) }
}

/** A block's header: a track number of at most eight bytes, a time of two bytes, and the flags. */
const BLOCK_HEAD_BYTES = 8 + 3

type BlockHead = { track: number; timestamp: number; lacing: (typeof LACINGS)[number]; bytes: number }

function readBlockHead(bytes: Uint8Array): BlockHead | null {
  const number = readVint(bytes, 0)
  if (number === null || bytes.length < number.length + 3) return null
  const fields = new DataView(bytes.buffer, bytes.byteOffset + number.length, 3)
  const lacing = LACINGS[(fields.getUint8(2) >> 1) & 3]!
  return { track: number.value, timestamp: fields.getInt16(0), lacing, bytes: number.length + 3 }
}

/** The packets in a block, without empty ones, as far as they fit. */
function packetsOf(block: Uint8Array, head: BlockHead): Uint8Array[] {
  const laced = readLacedSizes(block, head.bytes, head.lacing)
  const packets: Uint8Array[] = []
  let at = laced?.bodyAt ?? 0
  for (const size of laced?.sizes ?? []) {
    if (at + size > block.length) break
    if (size > 0) packets.push(block.subarray(at, at + size))
    at += size
  }
  return packets
}
