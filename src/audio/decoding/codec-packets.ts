// Decodes the packets that Ogg and Matroska contain: Opus, Vorbis, FLAC, MP3 and PCM.

import { FLACDecoder } from '@wasm-audio-decoders/flac'
import { OggVorbisDecoder } from '@wasm-audio-decoders/ogg-vorbis'
import { MPEGDecoder } from 'mpg123-decoder'
import { OpusDecoder } from 'opus-decoder'
import { DecodeError } from './decode-error.ts'
import { createMp3Feed } from './mp3.ts'
import { createOpusDecoder } from './opus.ts'
import { checkFormat, type PcmSink, type Sound } from './pcm-sink.ts'
import { type PcmLayout, toChannels } from './sample-formats.ts'

export type Codec =
  /** OpusHead (RFC 7845) */
  | { name: 'opus'; head: Uint8Array }
  /** the first and third header packets */
  | { name: 'vorbis'; identification: Uint8Array; setup: Uint8Array }
  | { name: 'flac' }
  | { name: 'mp3' }
  | { name: 'pcm'; layout: PcmLayout }

/** Decodes a packet to audio; null for a packet that is damaged or only prepares the next. */
export type PacketDecoder = (packet: Uint8Array) => Sound | null | Promise<Sound | null>

/** Compiles the common codecs; the packages reuse the compiled code for later decoders. */
export async function compileCodecs(): Promise<void> {
  for (const decoder of [new OpusDecoder(), new MPEGDecoder(), new FLACDecoder(), new OggVorbisDecoder()])
    await decoder.ready
}

export async function createPacketDecoder(codec: Codec, sink: PcmSink): Promise<PacketDecoder> {
  switch (codec.name) {
    case 'opus':
      return (await createOpusDecoder(codec.head)).decode
    case 'vorbis':
      return await createVorbis(codec.identification, codec.setup)
    case 'flac':
      return await createFlac()
    case 'mp3': {
      const feed = await createMp3Feed(sink)
      return (packet) => {
        feed.push(packet)
        return null
      }
    }
    case 'pcm':
      checkFormat(codec.layout.rate, codec.layout.channels)
      return (packet) => ({ channels: toChannels(packet, codec.layout), rate: codec.layout.rate })
  }
}

async function createVorbis(identification: Uint8Array, setup: Uint8Array): Promise<PacketDecoder> {
  const fields = new DataView(identification.buffer, identification.byteOffset, identification.byteLength)
  if (identification.length < 30) throw new DecodeError('damaged', 'The Vorbis header is cut short.')
  checkFormat(fields.getUint32(12, true), identification[11]!)
  const decoder = new OggVorbisDecoder()
  await decoder.ready
  // The decoder expects pages from its own parser; it reads only these fields of them.
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
