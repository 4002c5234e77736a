// Decodes MPEG audio (layers I to III) with mpg123, which skips tags and trims the encoder's padding itself.
// Takes a stream of bytes: whole files or frames from a container.

import { MPEGDecoder } from 'mpg123-decoder'
import { type ByteSource, chunksOf } from './byte-source.ts'
import type { PcmSink } from './pcm-sink.ts'
import { mpegParts } from './stream-parts.ts'

/** The output of one call is held in memory; at the lowest bitrate this is some ten seconds of audio. */
const CHUNK_BYTES = 16 * 1024

export type Mp3Feed = { push(bytes: Uint8Array): void; free(): void }

export async function createMp3Feed(sink: PcmSink): Promise<Mp3Feed> {
  const decoder = new MPEGDecoder()
  await decoder.ready
  return {
    push(bytes) {
      const { channelData, samplesDecoded, sampleRate } = decoder.decode(bytes)
      if (samplesDecoded > 0) sink.push(channelData, sampleRate)
    },
    free: () => decoder.free(),
  }
}

export async function decodeMp3(source: ByteSource, sink: PcmSink): Promise<void> {
  // All frames of a chunk must have the same sample rate, because one call returns one rate.
  for (const part of mpegParts(source)) {
    const feed = await createMp3Feed(sink)
    for (const chunk of chunksOf(part, CHUNK_BYTES)) feed.push(chunk)
    feed.free()
  }
}
