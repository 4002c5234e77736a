// A sentence that a model hears while nobody waits, so that its code is compiled when somebody does.
// Keeps nothing of what it hears; when there is time for it is the recogniser's to say.

import { join } from 'node:path'
import type { WhisperModel } from './model.ts'

/** Two seconds of a synthetic voice: what is no speech would be heard up to six times. 16 kHz mono in 16 bits. */
const RECORDING = join(import.meta.dir, 'rehearsal.wav')
const HEADER_BYTES = 44

/** Larger ones compute for so long that compiling is no great part of it, and their layers take longer to be left. */
const LARGEST_MODEL_BYTES = 200_000_000

const recorded = async (): Promise<Float32Array> => {
  const bytes = await Bun.file(RECORDING).slice(HEADER_BYTES).arrayBuffer()
  return Float32Array.from(new Int16Array(bytes), (sample) => sample / 32_768)
}

/** Ends within a layer of the encoder, or a token, when it is aborted. */
export const rehearse = async (
  model: Pick<WhisperModel, 'transcribe'>,
  { modelBytes, signal }: { modelBytes: number; signal: AbortSignal },
): Promise<void> => {
  if (modelBytes > LARGEST_MODEL_BYTES) return
  const samples = await recorded()
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
    // Ended because somebody came. If it failed, what is heard for somebody fails as well, and is told.
  }
}
