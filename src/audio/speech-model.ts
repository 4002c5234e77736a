// Silero v6 on our kernels: how likely each 32 ms of audio is speech.
// Runs in processes of their own only: the speech detector's (speech-process.ts), and a decoder's, to choose between
// tracks. Knows no spans.

import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { ENCODER_SCRATCH_BYTES } from '../../wasm/whisper/encoder-kernels.ts'
import { openKernels } from '../../wasm/whisper/kernels.ts'
import { TOKEN_SCRATCH_BYTES } from '../../wasm/whisper/token-kernels.ts'
import { createSileroEncoder, FRAME_INPUT, type SileroEncoder } from './silero/encoder.ts'
import { createRecurrence, type Recurrence, STATE_LENGTH } from './silero/recurrence.ts'
import { readWeights } from './silero/weights.ts'
import { SPEECH_FRAME_SAMPLES } from './speech-frame.ts'
import type { SpeechMemory } from './speech-messages.ts'

/** Silero wants the end of the frame before; fed 512 samples alone it answers about 0 to everything. */
const CONTEXT_SAMPLES = FRAME_INPUT - SPEECH_FRAME_SAMPLES
/** Two seconds: enough for the products to pay, and 4 MB. */
const FRAMES_AT_ONCE = 64

export type SpeechModel = {
  /** `samples` follow those that `memory` comes from; the last frame is filled up with silence */
  listen(
    samples: Float32Array,
    memory: SpeechMemory | null,
  ): { probabilities: Float32Array; memory: SpeechMemory }
}

/** The file comes from node_modules: nothing is fetched. */
export async function loadSpeechModel(): Promise<SpeechModel> {
  const path = fileURLToPath(import.meta.resolve('@ricky0123/vad-web/dist/silero_vad_v6.onnx'))
  const weights = readWeights(await readFile(path))
  const scratchBytes = Math.max(ENCODER_SCRATCH_BYTES, TOKEN_SCRATCH_BYTES)
  // One thread: the recogniser is at work meanwhile.
  const kernels = await openKernels({ threads: 1, scratchBytes })
  const encoder = createSileroEncoder(kernels, weights, FRAMES_AT_ONCE)
  const recurrence = createRecurrence(kernels, weights, FRAMES_AT_ONCE)
  return { listen: (samples, memory) => listen({ encoder, recurrence }, samples, memory) }
}

type Parts = { encoder: SileroEncoder; recurrence: Recurrence }

function listen({ encoder, recurrence }: Parts, samples: Float32Array, memory: SpeechMemory | null) {
  const count = Math.ceil(samples.length / SPEECH_FRAME_SAMPLES)
  // In one piece: what went before, the samples, silence up to a whole frame.
  const audio = new Float32Array(CONTEXT_SAMPLES + count * SPEECH_FRAME_SAMPLES)
  const state = new Float32Array(STATE_LENGTH)
  if (memory) {
    audio.set(memory.context)
    state.set(memory.state)
  }
  audio.set(samples, CONTEXT_SAMPLES)
  const probabilities = new Float32Array(count)
  const frames = new Float32Array(FRAMES_AT_ONCE * FRAME_INPUT)
  for (let first = 0; first < count; first += FRAMES_AT_ONCE) {
    const some = Math.min(FRAMES_AT_ONCE, count - first)
    for (let frame = 0; frame < some; frame++) {
      const from = (first + frame) * SPEECH_FRAME_SAMPLES
      frames.set(audio.subarray(from, from + FRAME_INPUT), frame * FRAME_INPUT)
    }
    probabilities.set(recurrence.follow(encoder.encode(frames, some), some, state), first)
  }
  return { probabilities, memory: { state, context: audio.slice(audio.length - CONTEXT_SAMPLES) } }
}
