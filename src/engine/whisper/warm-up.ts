// Transcribes a sentence while the engine is idle, so that its code is compiled before the first request.

import { ownFile } from '../../lib/own-files.ts'
import type { WhisperModel } from './model.ts'

/** Two seconds of a synthetic voice, because non-speech would be decoded up to six times. 16 kHz mono, 16 bits. */
const RECORDING = ownFile('src/engine/whisper/warm-up.wav')
const HEADER_BYTES = 44

/** For larger models compilation is a small part of the time, and aborting within a layer takes longer. */
const LARGEST_MODEL_BYTES = 200_000_000

export const warmUpSamples = async (): Promise<Float32Array> => {
  const bytes = await Bun.file(RECORDING).slice(HEADER_BYTES).arrayBuffer()
  return Float32Array.from(new Int16Array(bytes), (sample) => sample / 32_768)
}

/** An abort takes effect within one encoder layer or one token. */
export const warmUpModel = async (
  model: Pick<WhisperModel, 'transcribe'>,
  { modelBytes, signal }: { modelBytes: number; signal: AbortSignal },
): Promise<void> => {
  if (modelBytes > LARGEST_MODEL_BYTES) return
  const samples = await warmUpSamples()
  try {
    await model.transcribe({
      samples,
      language: 'en',
      task: 'transcribe',
      prompt: null,
      signal,
      strategy: { temperatures: [0] },
      onProgress: () => signal.throwIfAborted(),
    })
  } catch {
    // Either a request aborted it, or it failed: then the next request fails as well and reports that.
  }
}
