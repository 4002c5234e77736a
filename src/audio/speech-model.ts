// Silero v6 on our kernels: the speech probability of each 32 ms of audio. Runs only in child processes: the speech
// detector's (speech-process.ts), and a decoder's, which uses it to choose between tracks.

import { ENCODER_SCRATCH_BYTES } from '../../wasm/whisper/encoder-kernels.ts'
import { openKernels } from '../../wasm/whisper/kernels.ts'
import { TOKEN_SCRATCH_BYTES } from '../../wasm/whisper/token-kernels.ts'
import { readOwnFile } from '../lib/own-files.ts'
import { createSileroEncoder, FRAME_INPUT, type SileroEncoder } from './silero/encoder.ts'
import { createRecurrence, type Recurrence, STATE_LENGTH } from './silero/recurrence.ts'
import { readWeights } from './silero/weights.ts'
import { SPEECH_FRAME_SAMPLES } from './speech-level.ts'
import type { SpeechMemory } from './speech-messages.ts'

const SILERO = 'node_modules/@ricky0123/vad-web/dist/silero_vad_v6.onnx'

/** Silero needs the end of the previous frame; with 512 samples alone it returns about 0 for everything. */
const CONTEXT_SAMPLES = FRAME_INPUT - SPEECH_FRAME_SAMPLES
/** Two seconds: large enough for efficient matrix products, with 4 MB of memory. */
const FRAMES_AT_ONCE = 64

export type SpeechModel = {
  /** `samples` must follow those that `memory` comes from; the last frame is padded with silence */
  detect(
    samples: Float32Array,
    memory: SpeechMemory | null,
  ): { probabilities: Float32Array; memory: SpeechMemory }
}

/** The model file is part of node_modules; nothing is downloaded. */
export async function loadSpeechModel(): Promise<SpeechModel> {
  const weights = readWeights(await readOwnFile(SILERO))
  const scratchBytes = Math.max(ENCODER_SCRATCH_BYTES, TOKEN_SCRATCH_BYTES)
  // One thread, because the recogniser runs at the same time.
  const kernels = await openKernels({ threads: 1, scratchBytes })
  const encoder = createSileroEncoder(kernels, weights, FRAMES_AT_ONCE)
  const recurrence = createRecurrence(kernels, weights, FRAMES_AT_ONCE)
  return { detect: (samples, memory) => detect({ encoder, recurrence }, samples, memory) }
}

type Parts = { encoder: SileroEncoder; recurrence: Recurrence }

function detect({ encoder, recurrence }: Parts, samples: Float32Array, memory: SpeechMemory | null) {
  const count = Math.ceil(samples.length / SPEECH_FRAME_SAMPLES)
  // One buffer: context, samples, then silence up to a whole frame.
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
