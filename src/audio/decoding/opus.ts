// Decodes the packets of an Opus stream at 16 kHz and drops the encoder's pre-skip.

import { OpusDecoder } from 'opus-decoder'
import { DecodeError } from './decode-error.ts'
import { checkFormat, type Sound } from './pcm-sink.ts'
import { OUTPUT_RATE } from './resampler.ts'

export type OpusPackets = {
  /** null for a packet that is damaged or lies within the pre-skip */
  decode(packet: Uint8Array): Sound | null
  free(): void
}

/** Opus counts the pre-skip at 48 kHz, whatever the output rate is. */
const OPUS_CLOCK = 48_000

/** @throws DecodeError if the header (RFC 7845, section 5.1) is invalid */
export async function createOpusDecoder(head: Uint8Array): Promise<OpusPackets> {
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
  return {
    decode(packet) {
      const { channelData, samplesDecoded } = decoder.decodeFrame(packet)
      const skipped = Math.min(toSkip, samplesDecoded)
      toSkip -= skipped
      if (skipped === samplesDecoded) return null
      return { channels: channelData.map((samples) => samples.subarray(skipped)), rate: OUTPUT_RATE }
    },
    free: () => decoder.free(),
  }
}

function readOpusStreams(head: Uint8Array): { streamCount: number; coupledStreamCount: number } {
  const [channels, streamCount, coupledStreamCount] = [head[9]!, head[19] ?? 0, head[20] ?? 0]
  const sound = streamCount > 0 && coupledStreamCount <= streamCount && head.length >= 21 + channels
  if (!sound) throw new DecodeError('damaged', 'The Opus header contradicts itself.')
  return { streamCount, coupledStreamCount }
}
