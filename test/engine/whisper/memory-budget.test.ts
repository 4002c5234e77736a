// A model that does not fit is rejected before memory is allocated, and no other.

import { expect, test } from 'bun:test'
import { bytesInMemory, readGgmlFile } from '../../../src/engine/ggml-file.ts'
import { InsufficientMemory, memoryNeeded, slotsThatFit } from '../../../src/engine/whisper/memory.ts'
import { openModel } from '../../../src/engine/whisper/model.ts'
import { type WhisperShape, whisperTensors } from '../../../src/engine/whisper-tensors.ts'
import { type Kernels, MAX_MEMORY_BYTES, openKernels } from '../../../wasm/whisper/kernels.ts'
import { randomModel, SHAPES } from '../../support/model-files.ts'
import { KINDS, type Kind } from '../../support/quantize.ts'

const SEQUENCES = 5
const ALONE = { sequencesPerSlot: SEQUENCES, slots: 1 }
/** Allowed overestimate: most windows side by side do not have the maximum length. */
const SPARE_BYTES = 250_000_000
const ANY_MACHINE = Number.POSITIVE_INFINITY

const modelOf = (shape: WhisperShape, kind: Kind) => ({
  shape,
  tensors: whisperTensors(shape).map(({ name, role }) => ({
    name,
    type: role === 'plain' ? KINDS.f32.type : KINDS[kind].type,
  })),
})

const wide = { audioWidth: 2048, audioHeads: 32, textWidth: 2048, textHeads: 32 }
const HUGE = { ...SHAPES['large-v3'], ...wide, audioLayers: 64, textLayers: 64 }

const refusalOf = (refused: Promise<unknown>) =>
  refused.then(
    () => null,
    (error: unknown) => error instanceof InsufficientMemory && error.message,
  )

test.each(['q5_1', 'f32'] as const)('predicts the memory of a model in %s', async (kind) => {
  const bytes = await randomModel({ shape: SHAPES.toy, kind })
  const source = bytesInMemory(bytes)
  const file = readGgmlFile(source)
  if (!file.ok) throw new Error(file.failure.message)
  let kernels: Kernels | undefined
  const open: typeof openKernels = async (options) => {
    kernels = await openKernels(options)
    return kernels
  }
  const model = await openModel({ source, file: file.value, threads: 1, open })
  const taken = kernels!.mark()
  await model.close()
  const needed = await memoryNeeded(file.value, { sequencesPerSlot: SEQUENCES, slots: model.windows + 1 })
  expect(needed).toBeGreaterThan(taken)
  expect(needed - taken).toBeLessThan(SPARE_BYTES)
})

test('fits every published model of every type into WebAssembly’s memory', async () => {
  const large = { ...SHAPES['large-v3'], vocabulary: 51_865, melBands: 80 }
  for (const shape of [SHAPES.small, SHAPES.medium, SHAPES['large-v3-turbo'], SHAPES['large-v3'], large]) {
    for (const kind of ['f32', 'f16', 'q8_0', 'q5_0'] as const)
      await slotsThatFit(modelOf(shape, kind), {
        sequencesPerSlot: SEQUENCES,
        most: 1,
        machineBytes: ANY_MACHINE,
      })
  }
})

test('rejects a model that exceeds WebAssembly’s memory before allocating it', async () => {
  const { tensors, shape } = modelOf(HUGE, 'q5_0')
  const located = tensors.map((tensor) => ({ ...tensor, dimensions: [], atByte: 0, bytes: 0 }))
  const file = { shape, tensors: located, multilingual: true, filters: new Float32Array(0), vocabulary: [] }
  const opened: unknown[] = []
  const open: typeof openKernels = (options) => {
    opened.push(options)
    return openKernels(options)
  }
  const refused = openModel({ source: bytesInMemory(new Uint8Array(0)), file, threads: 1, open })
  expect(await refusalOf(refused)).toEndWith('take a smaller model, such as small or base')
  expect(opened).toEqual([])
})

test('rejects a model that exceeds the machine’s memory, and recommends one that fits', async () => {
  const half = modelOf(SHAPES['large-v3-turbo'], 'f16')
  const most = (await memoryNeeded(half, ALONE)) - 1
  expect(
    await refusalOf(slotsThatFit(half, { sequencesPerSlot: SEQUENCES, most: 1, machineBytes: most })),
  ).toBe('needs 1.9 GB of memory, and this machine has for a model 1.9 GB; a file of it in q5_0 needs 1.7 GB')
  expect(
    await refusalOf(slotsThatFit(half, { sequencesPerSlot: SEQUENCES, most: 1, machineBytes: most + 1 })),
  ).toBeNull()
  expect(
    await refusalOf(slotsThatFit(half, { sequencesPerSlot: SEQUENCES, most: 1, machineBytes: 1e9 })),
  ).toBe(
    'needs 1.9 GB of memory, and this machine has for a model 1.0 GB; take a smaller model, such as small or base',
  )
  expect(
    await refusalOf(
      slotsThatFit(half, { sequencesPerSlot: SEQUENCES, most: 1, machineBytes: MAX_MEMORY_BYTES }),
    ),
  ).toBeNull()
})
