// A GPU that fails in the middle of a window. It is injected: the kernels compute, with answers that come later, until it fails.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Segment } from '../../../src/engine/engine.ts'
import { withCpuFallback } from '../../../src/engine/gpu/cpu-fallback.ts'
import { GpuFailure } from '../../../src/engine/gpu/device.ts'
import { type CreateCompute, computeOnKernels } from '../../../src/engine/whisper/compute.ts'
import { openModel, type WhisperModel } from '../../../src/engine/whisper/model.ts'
import { warmUpSamples } from '../../../src/engine/whisper/warm-up.ts'
import { yieldToMessages } from '../../../src/engine/whisper/yield.ts'
import { bundledBytes } from '../../support/ggml.ts'
import { readModel } from '../hearers.ts'

const opened: WhisperModel[] = []
const cpuOpened: WhisperModel[] = []
let bytes: Uint8Array
let samples: Float32Array

beforeAll(async () => {
  bytes = await bundledBytes()
  samples = await warmUpSamples()
})

afterAll(async () => {
  for (const model of [...opened, ...cpuOpened]) await model.close()
})

/** Counts down the calls of its decoder; at zero it is lost for good. */
const failingAfter = async (calls: number): Promise<CreateCompute> => {
  const onKernels = await computeOnKernels(readModel(bytes).file)
  let left = calls
  return async (deps) => {
    const compute = await onKernels(deps)
    const { decoder } = compute
    return {
      ...compute,
      decoder: {
        ...decoder,
        async advance(steps) {
          await yieldToMessages()
          if (left === 0) throw new GpuFailure('the GPU was lost')
          left -= 1
          return await decoder.advance(steps)
        },
      },
    }
  }
}

const onGpu = async (compute: CreateCompute) => {
  const model = await openModel({ ...readModel(bytes), threads: 1, compute })
  opened.push(model)
  return withCpuFallback({ model, device: { gpu: 'Card', reason: 'It is fast.' } }, async () => {
    cpuOpened.push(await openModel({ ...readModel(bytes), threads: 1 }))
    return cpuOpened.at(-1)!
  })
}

const transcribe = async (model: Pick<WhisperModel, 'transcribe'>, sideBySide = false) => {
  const emitted: Segment[] = []
  const { segments } = await model.transcribe({
    ...{ samples, language: 'en', task: 'transcribe', prompt: null, sideBySide },
    signal: new AbortController().signal,
    onSegment: (segment) => emitted.push(segment),
  })
  return { segments, emitted }
}

test('answers that come later give the same text as the kernels at once', async () => {
  const model = await onGpu(await failingAfter(Number.POSITIVE_INFINITY))
  const alone = await openModel({ ...readModel(bytes), threads: 1 })
  opened.push(alone)
  const expected = await transcribe(alone)
  expect(expected.segments.length).toBeGreaterThan(0)
  expect(await transcribe(model)).toEqual(expected)
  const together = [transcribe(model, true), transcribe(model, true), transcribe(model, true)]
  expect(await Promise.all(together)).toEqual([expected, expected, expected])
  expect(model.device()).toEqual({ gpu: 'Card', reason: 'It is fast.' })
  expect(cpuOpened).toEqual([])
}, 120_000)

test('windows that lose the GPU are transcribed on the CPU, which is opened once and for good', async () => {
  const model = await onGpu(await failingAfter(7))
  const expected = await transcribe(opened.at(-2)!)
  const together = [transcribe(model, true), transcribe(model, true), transcribe(model, true)]
  expect(await Promise.all(together)).toEqual([expected, expected, expected])
  expect(await transcribe(model)).toEqual(expected)
  expect(cpuOpened).toHaveLength(1)
  expect(model.device()).toEqual({
    gpu: null,
    reason: 'The GPU failed and is no longer used: the GPU was lost.',
  })
}, 120_000)
