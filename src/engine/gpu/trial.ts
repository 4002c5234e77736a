// Compares a model on the GPU with the same model on the CPU, on a recording of two seconds.

import type { WhisperModel } from '../whisper/model.ts'
import { relativeError } from '../whisper/reference/arithmetic.ts'
import { warmUpSamples } from '../whisper/warm-up.ts'
import type { WhisperShape } from '../whisper-tensors.ts'

/** The most encoded frames that are compared. */
const FRAMES = 256

/**
 * Of the encoded frames, relative. The GPU computes with f16, which changes them by less than 1e-3; the CPU computes quantized
 * weights in integers, which changes them by up to 1e-2.
 */
const MAX_ERROR = 0.02

/** A GPU that is hardly faster is not worth the risk. */
const MAX_TIME = 0.7

export type Comparison = {
  isRight: boolean
  isFaster: boolean
  /** for people */
  reason: string
}

const transcribed = async (model: WhisperModel, samples: Float32Array) => {
  const startedAt = performance.now()
  const { segments } = await model.transcribe({
    samples,
    language: 'en',
    task: 'transcribe',
    prompt: null,
    signal: new AbortController().signal,
    strategy: { temperatures: [0] },
  })
  return { text: segments.map(({ text }) => text).join(' '), ms: performance.now() - startedAt }
}

/** @throws GpuFailure */
export const compareModels = async (
  { cpu, gpu }: { cpu: WhisperModel; gpu: WhisperModel },
  { audioFrames }: Pick<WhisperShape, 'audioFrames'>,
): Promise<Comparison> => {
  const samples = await warmUpSamples()
  const frames = Math.min(FRAMES, audioFrames)
  const error = relativeError(
    await gpu.encodedFrames(samples, frames),
    await cpu.encodedFrames(samples, frames),
  )
  // this form of the comparison rejects NaN
  if (!(error <= MAX_ERROR))
    return { isRight: false, isFaster: false, reason: 'The GPU computes other numbers than the CPU.' }
  const expected = await transcribed(cpu, samples)
  // the first run also wakes an idle GPU
  const first = await transcribed(gpu, samples)
  const second = await transcribed(gpu, samples)
  if (first.text !== expected.text || second.text !== expected.text)
    return { isRight: false, isFaster: false, reason: 'The GPU writes other text than the CPU.' }
  const seconds = ({ ms }: { ms: number }) => `${(ms / 1000).toFixed(2)} s`
  return {
    isRight: true,
    isFaster: second.ms <= MAX_TIME * expected.ms,
    reason: `A short recording takes ${seconds(second)} on the GPU and ${seconds(expected)} on the CPU.`,
  }
}
