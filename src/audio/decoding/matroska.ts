// Takes the packets of the first audio track out of a WebM or Matroska file (RFC 9559) and has them decoded.
// Written here because browsers leave sizes open and recordings get cut off: the elements are walked flat, never
// nested and never ahead, so all that arrived is heard, and position only ever grows, whatever the file claims.

import type { ByteSource } from './byte-source.ts'
import { type Codec, createPacketDecoder, type PacketDecoder } from './codec-packets.ts'
import { DecodeError, NO_SOUND_TRACK } from './decode-error.ts'
import { type Element, readElement, readLacedSizes, readVint } from './ebml.ts'
import { MATROSKA_ID as ID, LACINGS, OPENED, TRACK_AUDIO } from './matroska-elements.ts'
import type { PcmSink } from './pcm-sink.ts'
import { integerFormat } from './sample-formats.ts'

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
}

export async function decodeMatroska(source: ByteSource, sink: PcmSink): Promise<void> {
  const tracks: Track[] = []
  let chosen: { track: Track; decode: PacketDecoder } | null = null
  for (let at = 0; at < source.size; ) {
    const element = readElement(source, at)
    if (element === null) {
      at = findCluster(source, at + 1)
      continue
    }
    if (element.id === ID.ebml) {
      // Another file, joined behind the first, has tracks of its own.
      tracks.length = 0
      chosen = null
    }
    const end = element.bodyAt + element.size
    if (!OPENED.has(element.id) && end > source.size) {
      // Cut off, or a damaged size: half a packet is noise, but whole clusters may follow.
      at = findCluster(source, at + 1)
      continue
    }
    at = OPENED.has(element.id) ? element.bodyAt : end
    if (element.id === ID.trackEntry) tracks.push(emptyTrack())
    else if (element.id === ID.block || element.id === ID.simpleBlock) {
      if (element.size > MAX_FIELD_BYTES) continue
      chosen ??= await chooseTrack(tracks, sink)
      await decodeBlock(source.read(element.bodyAt, element.size).slice(), chosen, sink)
    } else if (tracks.length > 0) readTrackField(tracks[tracks.length - 1]!, element, source)
  }
  if (chosen === null && sink.samples() === 0)
    throw new DecodeError('damaged', 'The recording holds no sound.')
}

function emptyTrack(): Track {
  // Rate, channels and depth as the format defines them where a file is silent.
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
  }
}

function readTrackField(track: Track, element: Element, source: ByteSource): void {
  if (element.size > MAX_FIELD_BYTES) return
  const body = () => source.read(element.bodyAt, element.size)
  const integer = () => body().reduce((sum, byte) => sum * 256 + byte, 0)
  if (element.id === ID.trackNumber) track.number = integer()
  else if (element.id === ID.trackType) track.type = integer()
  else if (element.id === ID.codecId)
    track.codecId = String.fromCharCode(...body().subarray(0, 64)).replace(/\0+$/, '')
  else if (element.id === ID.codecPrivate) track.codecPrivate = body().slice()
  else if (element.id === ID.contentEncodings) track.encoded = true
  else if (element.id === ID.channels) track.channels = integer()
  else if (element.id === ID.bitDepth) track.bitDepth = integer()
  else if (element.id === ID.samplingFrequency) track.rate = readFloat(body()) ?? track.rate
}

function readFloat(bytes: Uint8Array): number | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length === 4) return view.getFloat32(0)
  return bytes.length === 8 ? view.getFloat64(0) : null
}

async function chooseTrack(tracks: Track[], sink: PcmSink): Promise<{ track: Track; decode: PacketDecoder }> {
  const track = tracks.find(({ type }) => type === TRACK_AUDIO)
  if (track === undefined) throw new DecodeError('damaged', NO_SOUND_TRACK)
  const codec = track.encoded ? null : codecOf(track)
  if (codec === null) throw new DecodeError('unsupported', 'The recording holds another codec.')
  return { track, decode: await createPacketDecoder(codec, sink) }
}

function codecOf(track: Track): Codec | null {
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

/** Three header packets one after the other, the lengths of the first two before them in Xiph's lacing. */
function vorbisHeaders(data: Uint8Array): Codec {
  const laced = readLacedSizes(data, 0, 'xiph')
  const [first, second, third] = laced?.sizes ?? []
  if (laced === null || third === undefined) throw new DecodeError('damaged', 'The Vorbis header is damaged.')
  const setupAt = laced.bodyAt + first! + second!
  const identification = data.subarray(laced.bodyAt, laced.bodyAt + first!)
  return { name: 'vorbis', identification, setup: data.subarray(setupAt, setupAt + third) }
}

async function decodeBlock(
  block: Uint8Array,
  { track, decode }: { track: Track; decode: PacketDecoder },
  sink: PcmSink,
): Promise<void> {
  const number = readVint(block, 0)
  // After the track's number: a time of two bytes and the flags.
  if (number === null || number.value !== track.number || block.length < number.length + 3) return
  const lacing = LACINGS[(block[number.length + 2]! >> 1) & 3]!
  const laced = readLacedSizes(block, number.length + 3, lacing)
  let at = laced?.bodyAt ?? 0
  for (const size of laced?.sizes ?? []) {
    if (at + size > block.length) return
    const sound = size > 0 ? await decode(block.subarray(at, at + size)) : null
    if (sound !== null) sink.push(sound.channels, sound.rate)
    at += size
  }
}

/** Where the next cluster starts after damage, or the end of the file. */
function findCluster(source: ByteSource, from: number): number {
  const step = 64 * 1024
  const name = Buffer.from([0x1f, 0x43, 0xb6, 0x75])
  for (let at = from; at < source.size; at += step) {
    const found = Buffer.from(source.read(at, step + 3)).indexOf(name)
    if (found >= 0) return at + found
  }
  return source.size
}
