// Runs a model on the GPU, and on the CPU after the GPU has failed, because a lost device does not come back.

import type { ComputeDevice, Segment } from '../engine.ts'
import type { WhisperModel } from '../whisper/model.ts'
import { GpuFailure } from './device.ts'

type Request = Parameters<WhisperModel['transcribe']>[0]

export type GpuModel = Omit<WhisperModel, 'encodedFrames'> & { device(): ComputeDevice }

/** Emits nothing twice when the window is transcribed again. */
const withoutRepeats = ({ onSegment, onProgress, ...request }: Request): Request => {
  let emittedToMs = Number.NEGATIVE_INFINITY
  let fraction = 0
  return {
    ...request,
    onSegment(segment: Segment) {
      if (segment.startMs < emittedToMs) return
      emittedToMs = segment.endMs
      onSegment?.(segment)
    },
    onProgress(reached) {
      if (reached <= fraction) return
      fraction = reached
      onProgress?.(reached)
    },
  }
}

/** @param openOnCpu called once, at the first failure */
export const withCpuFallback = (
  gpu: { model: WhisperModel; device: ComputeDevice },
  openOnCpu: () => Promise<WhisperModel>,
): GpuModel => {
  let { model, device } = gpu
  let leaving: Promise<void> | null = null

  // The failed model is not closed: its other windows still run on its kernels, until they notice the failure.
  const leave = async ({ message }: GpuFailure) => {
    model = await openOnCpu()
    device = { gpu: null, reason: `The GPU failed and is no longer used: ${message}.` }
  }

  return {
    windows: gpu.model.windows,
    device: () => device,
    async transcribe(request) {
      if (!device.gpu) return await model.transcribe(request)
      const once = withoutRepeats(request)
      try {
        return await model.transcribe(once)
      } catch (error) {
        if (!(error instanceof GpuFailure)) throw error
        leaving ??= leave(error)
        await leaving
        return await model.transcribe(once)
      }
    },
    close: () => model.close(),
  }
}
