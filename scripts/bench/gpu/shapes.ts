// The time of the encoder, of a token and of whole windows on a GPU, with random weights: only the shape matters for speed.

import { adapterOfDawn, openGpu } from '../../../src/engine/gpu/device.ts'
import { computeOnGpu } from '../../../src/engine/gpu/gpu-compute.ts'
import type { Compute } from '../../../src/engine/whisper/compute.ts'
import type { Weights } from '../../../src/engine/whisper/weights.ts'
import { type WhisperShape, whisperTensors } from '../../../src/engine/whisper-tensors.ts'
import { KINDS, type Kind } from '../../../test/support/quantize.ts'
import { type Kernels, openKernels } from '../../../wasm/whisper/kernels.ts'
import { median, milliseconds, type Row, seconds } from '../table.ts'

const WINDOW_SECONDS = 30
const TOKENS = 60
const PROMPT = [1, 2, 3, 4]
const SIDE_BY_SIDE = 8
/** An idle GPU runs at a fraction of its clock. */
const AWAKE_MS = 500
const EMULATED_DEADLINE_MS = 600_000

/** As many numbers as are read at once. */
const noise = Float32Array.from({ length: 8_000_000 }, (_, i) => 0.05 * Math.sin(i * 12.9898))

const randomWeights = (shape: WhisperShape, kernels: Kernels, kind: Kind): Weights => {
  const tensors = new Map(whisperTensors(shape).map((tensor) => [tensor.name, tensor]))
  return {
    shape,
    typeOf: (name) => KINDS[tensors.get(name)!.role === 'matrix' ? kind : 'f32'].type,
    read(name, to, part) {
      const whole = tensors.get(name)!.dimensions.reduce((product, size) => product * size, 1)
      const count = part?.count ?? whole
      kernels.floats().set(noise.subarray(0, count), to / 4)
      return count
    },
  }
}

const timed = async (run: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now()
  await run()
  return performance.now() - startedAt
}

const medianOf = async (rounds: number, run: () => Promise<unknown>): Promise<number> => {
  const until = performance.now() + AWAKE_MS
  do await run()
  while (performance.now() < until)
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) times.push(await timed(run))
  return median(times)
}

/** @throws if a result is not a finite number */
const decode = async ({ decoder }: Compute, windows: number): Promise<void> => {
  const steps = (tokens: number[]) =>
    Array.from({ length: windows }, (_, slot) => ({ sequenceId: slot * decoder.sequencesPerSlot, tokens }))
  for (const { sequenceId } of steps([])) decoder.reset(sequenceId)
  await decoder.advance(steps(PROMPT))
  for (let token = 0; token < TOKENS; token += 1) {
    const logits = await decoder.advance(steps([5 + token]))
    if (!logits.every(({ values, sums }) => Number.isFinite(values[0]) && sums.every(Number.isFinite)))
      throw new Error('the GPU computed a number that is not finite')
  }
}

type Window = { mel: number; frames: number }

const transcribe = async (compute: Compute, { mel, frames }: Window, windows: number): Promise<void> => {
  for (let slot = 0; slot < windows; slot += 1)
    await compute.decoder.setWindow(slot, await compute.encode(mel, frames), frames)
  await decode(compute, windows)
}

type Goals = { window?: string; token?: string; speed?: string; load?: string }
export type GpuCase = {
  dawn: string
  /** its name in the report */
  size: string
  shape: WhisperShape
  kind: Kind
  rounds: number
  allowSoftware: boolean
  goals: Goals
}

const loaded = async ({ dawn, shape, kind, allowSoftware }: GpuCase) => {
  const kernels = await openKernels({ threads: 1, scratchBytes: 0 })
  const deadlineMs = allowSoftware ? EMULATED_DEADLINE_MS : undefined
  const gpu = await openGpu({ requestAdapter: adapterOfDawn(dawn), allowSoftware, deadlineMs })
  const numbers = 2 * shape.audioFrames * shape.melBands
  const mel = kernels.allocate(numbers * 4)
  kernels.floats().set(noise.subarray(0, numbers), mel / 4)
  const compute = await computeOnGpu(gpu)({ kernels, weights: randomWeights(shape, kernels, kind) })
  return {
    compute,
    window: { mel, frames: shape.audioFrames },
    async close() {
      compute.close()
      await kernels.close()
    },
  }
}

/** The first load compiles the shaders, unless the driver has them in its cache. */
export const measureOnGpu = async (options: GpuCase): Promise<Row[]> => {
  const { size, kind, rounds, goals } = options
  const firstMs = await timed(async () => (await loaded(options)).close())
  const startedAt = performance.now()
  const { compute, window, close } = await loaded(options)
  const loadMs = performance.now() - startedAt
  const windows = Math.min(SIDE_BY_SIDE, compute.decoder.slots)
  const encoderMs = await medianOf(rounds, () => compute.encode(window.mel, window.frames))
  await transcribe(compute, window, windows)
  const tokenMs = (await medianOf(rounds, () => decode(compute, 1))) / TOKENS
  const tokensMs = (await medianOf(rounds, () => decode(compute, windows))) / TOKENS
  const windowMs = await medianOf(rounds, () => transcribe(compute, window, 1))
  const windowsMs = await medianOf(rounds, () => transcribe(compute, window, windows))
  await close()
  const what = `${size} ${kind}`
  const speed = (ms: number, count: number) => `${((1000 * count * WINDOW_SECONDS) / ms).toFixed(0)} ×`
  const withGoal = (row: Row, goal: string | undefined): Row => ({ ...row, ...(goal && { goal }) })
  return [
    withGoal({ what: `${what}: first load`, value: seconds(firstMs) }, goals.load),
    { what: `${what}: later load`, value: seconds(loadMs) },
    { what: `${what}: encoder of a window`, value: milliseconds(encoderMs) },
    withGoal({ what: `${what}: a token`, value: milliseconds(tokenMs) }, goals.token),
    { what: `${what}: a token of each of ${windows} windows`, value: milliseconds(tokensMs) },
    withGoal(
      {
        what: `${what}: a window with ${TOKENS} tokens`,
        value: milliseconds(windowMs),
        note: `${speed(windowMs, 1)} real time`,
      },
      goals.window,
    ),
    withGoal(
      {
        what: `${what}: ${windows} windows side by side, × real time`,
        value: speed(windowsMs, windows),
        note: milliseconds(windowsMs),
      },
      goals.speed,
    ),
  ]
}
