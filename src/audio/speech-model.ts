// Silero v6 on onnxruntime-web: how likely each 32 ms of audio is speech.
// Runs in the speech detector's own process only (speech-process.ts); knows no spans.

import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import * as ort from 'onnxruntime-web/wasm'
import { FRAME_SAMPLES } from './speech-frame.ts'
import type { SpeechMemory } from './speech-messages.ts'

/** Silero wants the end of the frame before; fed 512 samples alone it answers about 0 to everything. */
const CONTEXT_SAMPLES = 64
const STATE_SHAPE = [2, 1, 128]
const STATE_LENGTH = 256

export type SpeechModel = {
  /** `samples` follow those that `memory` comes from; the last frame is filled up with silence */
  listen(
    samples: Float32Array,
    memory: SpeechMemory | null,
  ): Promise<{ probabilities: Float32Array; memory: SpeechMemory }>
}

/** Both files come from node_modules: nothing is fetched. */
export async function loadSpeechModel(): Promise<SpeechModel> {
  const installed = (name: string) => readFile(fileURLToPath(import.meta.resolve(name)))
  ort.env.wasm.numThreads = 1
  ort.env.wasm.wasmBinary = await installed('onnxruntime-web/ort-wasm-simd-threaded.wasm')
  const weights = await installed('@ricky0123/vad-web/dist/silero_vad_v6.onnx')
  const session = await ort.InferenceSession.create(weights, { executionProviders: ['wasm'] })
  return { listen: (samples, memory) => listen(session, samples, memory) }
}

async function listen(session: ort.InferenceSession, samples: Float32Array, memory: SpeechMemory | null) {
  const input = new Float32Array(CONTEXT_SAMPLES + FRAME_SAMPLES)
  const state = new Float32Array(STATE_LENGTH)
  if (memory) {
    // The first frame's context is copied from the end of this buffer below.
    input.set(memory.context, FRAME_SAMPLES)
    state.set(memory.state)
  }
  // The tensors look at these two buffers, which are refilled for each frame.
  const feeds = {
    input: new ort.Tensor('float32', input, [1, input.length]),
    state: new ort.Tensor('float32', state, STATE_SHAPE),
    sr: new ort.Tensor('int64', [16_000n], []),
  }
  const probabilities = new Float32Array(Math.ceil(samples.length / FRAME_SAMPLES))
  for (let frame = 0; frame < probabilities.length; frame++) {
    const start = frame * FRAME_SAMPLES
    const fresh = samples.subarray(start, start + FRAME_SAMPLES)
    input.copyWithin(0, FRAME_SAMPLES)
    input.set(fresh, CONTEXT_SAMPLES)
    input.fill(0, CONTEXT_SAMPLES + fresh.length)
    const { output, stateN } = await session.run(feeds)
    probabilities[frame] = Number(output?.data[0])
    state.set(stateN?.data as Float32Array)
  }
  return { probabilities, memory: { state, context: input.slice(FRAME_SAMPLES) } }
}
