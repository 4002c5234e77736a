// Decodes FLAC files as they are read.
// FLAC frames inside Ogg and Matroska are codec-packets.ts.

import { FLACDecoder } from '@wasm-audio-decoders/flac'
import { type ByteSource, chunksOf } from './byte-source.ts'
import type { PcmSink } from './pcm-sink.ts'

const CHUNK_BYTES = 64 * 1024

export async function decodeFlac(source: ByteSource, sink: PcmSink): Promise<void> {
  const decoder = new FLACDecoder()
  await decoder.ready
  // Flushing ends with a reset, which makes a whole new decoder: half the time of a short recording, for nothing.
  decoder.reset = async () => {}
  const push = ({ channelData, samplesDecoded, sampleRate }: Awaited<ReturnType<typeof decoder.decode>>) => {
    if (samplesDecoded > 0) sink.push(channelData, sampleRate)
  }
  for (const chunk of chunksOf(source, CHUNK_BYTES)) push(await decoder.decode(chunk.slice()))
  push(await decoder.flush())
}
