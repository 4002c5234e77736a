// Decodes the packets that Ogg and Matroska carry: Opus, Vorbis, FLAC, MP3 and plain samples.
// The containers themselves are ogg.ts and matroska.ts.

import { FLACDecoder } from '@wasm-audio-decoders/flac'
import { OggVorbisDecoder } from '@wasm-audio-decoders/ogg-vorbis'
import { MPEGDecoder } from 'mpg123-decoder'
import { OpusDecoder } from 'opus-decoder'
import { DecodeError } from './decode-error.ts'
import { createMp3Feed } from './mp3.ts'
import { checkFormat, type PcmSink } from './pcm-sink.ts'
import { OUTPUT_RATE } from './resampler.ts'
import { type PcmLayout, toChannels } from './sample-formats.ts'

export type Codec =
  /** OpusHead (RFC 7845) */
  | { name: 'opus'; head: Uint8Array }
  /** its first and third header packets */
  | { name: 'vorbis'; identification: Uint8Array; setup: Uint8Array }
  | { name: 'flac' }
  | { name: 'mp3' }
  | { name: 'pcm'; layout: PcmLayout }

export type Sound = { channels: Float32Array[]; rate: number }

/** One packet in, what it sounds like out; null for a packet that is damaged or only prepares the next. */
export type PacketDecoder = (packet: Uint8Array) => Sound | null | Promise<Sound | null>

/** Compiles what most recordings need; the packages keep it for the decoders made later. */
export async function compileCodecs(): Promise<void> {
  for (const decoder of [new OpusDecoder(), new MPEGDecoder(), new FLACDecoder(), new OggVorbisDecoder()])
    await decoder.ready
}

export async function createPacketDecoder(codec: Codec, sink: PcmSink): Promise<PacketDecoder> {
  switch (codec.name) {
    case 'opus':
      return await createOpus(codec.head)
    case 'vorbis':
      return await createVorbis(codec.identification, codec.setup)
    case 'flac':
      return await createFlac()
    case 'mp3': {
      const feed = await createMp3Feed(sink)
      return (packet) => {
        feed(packet)
        return null
      }
    }
    case 'pcm':
      checkFormat(codec.layout.rate, codec.layout.channels)
      return (packet) => ({ channels: toChannels(packet, codec.layout), rate: codec.layout.rate })
  }
}

/** Opus counts the samples to skip at 48 kHz, whatever comes out. */
const OPUS_CLOCK = 48_000

async function createOpus(head: Uint8Array): Promise<PacketDecoder> {
  if (head.length < 19) throw new DecodeError('damaged', 'The Opus header is cut short.')
  const channels = head[9]!
  checkFormat(OPUS_CLOCK, channels)
  const family = head[18]!
  if (family === 0 && channels > 2) throw new DecodeError('damaged', 'The Opus header contradicts itself.')
  const streams = family === 0 ? { streamCount: 1, coupledStreamCount: channels - 1 } : readOpusStreams(head)
  const channelMappingTable = family === 0 ? [0, 1].slice(0, channels) : [...head.subarray(21, 21 + channels)]
  const decoder = new OpusDecoder({ sampleRate: OUTPUT_RATE, channels, ...streams, channelMappingTable })
  await decoder.ready
  const preSkip = head[10]! | (head[11]! << 8)
  let toSkip = Math.round((preSkip * OUTPUT_RATE) / OPUS_CLOCK)
  return (packet) => {
    const { channelData, samplesDecoded } = decoder.decodeFrame(packet)
    const skipped = Math.min(toSkip, samplesDecoded)
    toSkip -= skipped
    if (skipped === samplesDecoded) return null
    return { channels: channelData.map((samples) => samples.subarray(skipped)), rate: OUTPUT_RATE }
  }
}

function readOpusStreams(head: Uint8Array): { streamCount: number; coupledStreamCount: number } {
  const [channels, streamCount, coupledStreamCount] = [head[9]!, head[19] ?? 0, head[20] ?? 0]
  const sound = streamCount > 0 && coupledStreamCount <= streamCount && head.length >= 21 + channels
  if (!sound) throw new DecodeError('damaged', 'The Opus header contradicts itself.')
  return { streamCount, coupledStreamCount }
}

async function createVorbis(identification: Uint8Array, setup: Uint8Array): Promise<PacketDecoder> {
  const fields = new DataView(identification.buffer, identification.byteOffset, identification.byteLength)
  if (identification.length < 30) throw new DecodeError('damaged', 'The Vorbis header is cut short.')
  checkFormat(fields.getUint32(12, true), identification[11]!)
  const decoder = new OggVorbisDecoder()
  await decoder.ready
  // The decoder wants pages of its own parser; these are the only fields that it reads of one.
  const decode = (page: object) =>
    decoder.decodeOggPages([page] as Parameters<typeof decoder.decodeOggPages>[0])
  await decode({ data: identification, codecFrames: [] })
  return async (packet) => {
    const frame = { data: packet, header: { vorbisSetup: setup } }
    const { channelData, samplesDecoded, sampleRate } = await decode({ data: packet, codecFrames: [frame] })
    return samplesDecoded > 0 ? { channels: channelData, rate: sampleRate } : null
  }
}

async function createFlac(): Promise<PacketDecoder> {
  const decoder = new FLACDecoder()
  await decoder.ready
  return async (packet) => {
    const { channelData, samplesDecoded, sampleRate } = await decoder.decodeFrames([packet])
    return samplesDecoded > 0 ? { channels: channelData, rate: sampleRate } : null
  }
}
