// Decodes FLAC files as they are read.
// FLAC frames inside Ogg and Matroska are codec-packets.ts.

import { FLACDecoder } from '@wasm-audio-decoders/flac'
import { type ByteSource, chunksOf } from './byte-source.ts'
import type { PcmSink } from './pcm-sink.ts'
import { flacParts } from './stream-parts.ts'

const CHUNK_BYTES = 64 * 1024

export type FlacDecoders = {
  /** one that nobody has used */
  take(): Promise<FLACDecoder>
  /** has the next one made; to be called when nobody waits */
  makeNext(): void
}

/** Making a decoder takes half as long as decoding a short recording: the next one is made ahead. */
export function createFlacDecoders(): FlacDecoders {
  let next: FLACDecoder | null = null
  return {
    async take() {
      const taken = next ?? new FLACDecoder()
      next = null
      await taken.ready
      return taken
    },
    makeNext() {
      next ??= new FLACDecoder()
    },
  }
}

export async function decodeFlac(
  source: ByteSource,
  sink: PcmSink,
  { flac }: { flac: FlacDecoders },
): Promise<void> {
  for (const part of flacParts(source)) await decodeStream(part, sink, await flac.take())
}

async function decodeStream(source: ByteSource, sink: PcmSink, decoder: FLACDecoder): Promise<void> {
  // Flushing ends with a reset, which makes a whole new decoder, for nothing.
  decoder.reset = async () => {}
  const push = ({ channelData, samplesDecoded, sampleRate }: Awaited<ReturnType<typeof decoder.decode>>) => {
    if (samplesDecoded > 0) sink.push(channelData, sampleRate)
  }
  for (const chunk of chunksOf(source, CHUNK_BYTES)) push(await decoder.decode(chunk.slice()))
  push(await decoder.flush())
  decoder.free()
}
