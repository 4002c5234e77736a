// Decodes FLAC files. codec-packets.ts decodes FLAC frames in Ogg and Matroska.

import { FLACDecoder } from '@wasm-audio-decoders/flac'
import { type ByteSource, chunksOf } from './byte-source.ts'
import type { PcmSink } from './pcm-sink.ts'
import { flacParts } from './stream-parts.ts'

const CHUNK_BYTES = 64 * 1024

export type FlacDecoders = {
  /** an unused decoder */
  take(): Promise<FLACDecoder>
  /** creates the next decoder in advance; call it while the process is idle */
  makeNext(): void
}

/** Creating a decoder takes half as long as decoding a short recording, so the next one is created in advance. */
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
  // A flush ends with a reset, which would create a whole new decoder for nothing.
  decoder.reset = async () => {}
  const push = ({ channelData, samplesDecoded, sampleRate }: Awaited<ReturnType<typeof decoder.decode>>) => {
    if (samplesDecoded > 0) sink.push(channelData, sampleRate)
  }
  for (const chunk of chunksOf(source, CHUNK_BYTES)) push(await decoder.decode(chunk.slice()))
  push(await decoder.flush())
  decoder.free()
}
