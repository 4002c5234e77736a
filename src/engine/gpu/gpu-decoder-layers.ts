// The layers of the decoder on the GPU: tokens at their positions to logits. The steps are those of whisper/decoder-layers.ts.

import { LOGITS_IN_BLOCK } from '../../../wasm/whisper/interface.ts'
import type { Head } from '../whisper/decoding/timing.ts'
import type { Logits } from '../whisper/logits.ts'
import type { WhisperShape } from '../whisper-tensors.ts'
import {
  ENTRY,
  ENTRY_WORDS,
  embedShader,
  logitSumsShader,
  type TokenProduct,
  tokenAttentionShader,
  tokenProductShader,
  tokenSizes,
  type VectorCount,
  workgroupsOf,
} from './decoder-shaders.ts'
import type { Dispatch, Gpu, GpuBuffer, Resource } from './device.ts'
import { type GpuDecoderLayer, uploadDecoderLayer } from './gpu-decoder-weights.ts'
import { createGrowingBuffers, type GrowingBuffers } from './growing-buffers.ts'
import { IDLE_RECORD, type StoredToken } from './token-sequences.ts'
import type { GpuMatrix, GpuNorm, WeightUpload } from './upload.ts'
import { layerNormShader } from './wgsl.ts'

export type GpuTokenVector = {
  token: number
  position: number
  /** its sequence, up to itself at least */
  sequence: readonly StoredToken[]
  slot: number
  /** of the window in that slot */
  frames: number
  /** store its attention to the window */
  aligned: boolean
  /** the step whose logits it produces */
  step: number | undefined
}

export type GpuLayers = {
  /** @returns the logits of each step. @throws GpuFailure */
  run(vectors: readonly GpuTokenVector[], steps: number): Promise<Logits[]>
}

/** Vectors of a dispatch, and the most whose attention to the window is fetched at once. */
const MAX_SIDE_BY_SIDE = 8
const MAX_AT_ONCE = 64
const MAX_ALIGNMENT_BYTES = 64_000_000

/** Records that the first buffers have room for. */
const FIRST_RECORDS = 512

/** Each vector's results begin at a multiple of 256 bytes. */
const RESULT_NUMBERS = 64

type Options = {
  gpu: Gpu
  upload: WeightUpload
  shape: WhisperShape
  /** the most steps per call */
  maxSteps: number
  alignmentHeads: readonly Head[]
  /** for each layer the keys and values of all windows, and the rows of a window */
  windows: { keysValues: GrowingBuffers; rows: number }
}

export const createGpuLayers = async (options: Options): Promise<GpuLayers> => {
  const { gpu, upload, shape, maxSteps, alignmentHeads, windows } = options
  const { textWidth: width, textHeads, textTokens, textLayers, vocabulary, audioFrames } = shape
  const floats = (count: number) => gpu.allocate(count * 4)
  const embeddings = await upload.matrix(['decoder.token_embedding.weight'], width, vocabulary)
  const positions = upload.plain('decoder.positional_embedding', textTokens * width)
  const layers: GpuDecoderLayer[] = []
  for (let index = 0; index < textLayers; index += 1) layers.push(await uploadDecoderLayer(options, index))
  const lastNorm = upload.norm('decoder.ln', width)

  const vectors = (numbers: number) => floats(MAX_SIDE_BY_SIDE * numbers)
  const [states, normal, queries, attended] = [width, width, width, width].map(vectors) as [
    GpuBuffer,
    GpuBuffer,
    GpuBuffer,
    GpuBuffer,
  ]
  const wide = vectors(4 * width)
  const table = vectors(ENTRY_WORDS)
  const list = floats(MAX_SIDE_BY_SIDE * textTokens + 1)
  const alignmentNumbers = alignmentHeads.length * audioFrames
  const atOnce = Math.max(1, Math.min(MAX_AT_ONCE, Math.floor(MAX_ALIGNMENT_BYTES / (alignmentNumbers * 4))))
  const alignments = floats(atOnce * alignmentNumbers)
  const blocks = Math.ceil(vocabulary / LOGITS_IN_BLOCK)
  const stride = Math.ceil((vocabulary + 2 * blocks) / RESULT_NUMBERS) * RESULT_NUMBERS
  const roundedSteps = Math.ceil(maxSteps / MAX_SIDE_BY_SIDE) * MAX_SIDE_BY_SIDE
  const lastStates = floats(roundedSteps * width)
  const logits = floats(roundedSteps * stride)

  const records = createGrowingBuffers(gpu, {
    layers: textLayers,
    itemBytes: 2 * width * 4,
    items: FIRST_RECORDS,
    maxItems: maxSteps * textTokens + 1,
  })
  let bound: (readonly GpuBuffer[])[] = []
  const dispatches = new Map<VectorCount, Dispatch[]>()
  const logitDispatches = new Map<string, Dispatch[]>()

  const norm = async (from: Resource, { weight, bias }: GpuNorm, count: VectorCount): Promise<Dispatch> => [
    await gpu.bind(layerNormShader(width, 'f32'), [from, weight, bias, normal]),
    count,
  ]

  const product = async (
    options: TokenProduct,
    from: GpuBuffer,
    { weights, bias }: { weights: GpuMatrix; bias: GpuBuffer | null },
    to: Resource,
    [ownTable, ownRecords]: [GpuBuffer, GpuBuffer] | [null, null] = [null, null],
  ): Promise<Dispatch> => {
    const { format, numbers, heads } = weights
    const sizes = gpu.constant(tokenSizes(options))
    const resources = [from, numbers, bias, to, sizes, ownTable, ownRecords, heads]
    return [await gpu.bind(tokenProductShader(options, format), resources), workgroupsOf(options)]
  }

  const attention = async (index: number, to: 'tokens' | 'frames', count: VectorCount): Promise<Dispatch> => {
    const { rows, keysValues } = windows
    const frames = {
      to: 'frames',
      maxFrames: audioFrames,
      rows,
      alignmentHeads: alignmentHeads.length,
    } as const
    const code = tokenAttentionShader({
      width,
      ...(to === 'frames' ? frames : { to, maxTokens: textTokens }),
    })
    const source = to === 'frames' ? keysValues.buffers()[index]! : records.buffers()[index]!
    const more = to === 'frames' ? [layers[index]!.aligned, alignments] : [list]
    return [await gpu.bind(code, [queries, source, attended, table, ...more]), textHeads, count]
  }

  const layerFor = async (layer: GpuDecoderLayer, index: number, count: VectorCount): Promise<Dispatch[]> => {
    const square = { inputs: width, outputs: width, count }
    const up = { inputs: width, outputs: 4 * width, count }
    const down = { inputs: 4 * width, outputs: width, count }
    const project = { inputs: width, outputs: 3 * width, count, to: 'project' } as const
    return [
      await norm(states, layer.norm, count),
      await product(project, normal, layer.project, queries, [table, records.buffers()[index]!]),
      await attention(index, 'tokens', count),
      await product({ ...square, to: 'add' }, attended, layer.out, states),
      await norm(states, layer.crossNorm, count),
      await product({ ...square, to: 'store' }, normal, layer.crossQuery, queries),
      await attention(index, 'frames', count),
      await product({ ...square, to: 'add' }, attended, layer.crossOut, states),
      await norm(states, layer.mlpNorm, count),
      await product({ ...up, to: 'store', gelu: true }, normal, layer.mlpUp, wide),
      await product({ ...down, to: 'add' }, wide, layer.mlpDown, states),
    ]
  }

  const dispatchesFor = async (count: VectorCount): Promise<Dispatch[]> => {
    const now = [records.buffers(), windows.keysValues.buffers()]
    if (now.some((buffers, index) => buffers !== bound[index])) dispatches.clear()
    bound = now
    const known = dispatches.get(count)
    if (known) return known
    const { format, numbers, heads } = embeddings
    const embed = await gpu.bind(embedShader(width, format), [numbers, positions, table, states, heads])
    const all: Dispatch[] = [[embed, count]]
    for (const [index, layer] of layers.entries()) all.push(...(await layerFor(layer, index, count)))
    dispatches.set(count, all)
    return all
  }

  /** @param firstAlignment where the attention of the first aligned vector is stored */
  const writeTables = (chunk: readonly GpuTokenVector[], firstAlignment: number) => {
    const entries = new Uint32Array(MAX_SIDE_BY_SIDE * ENTRY_WORDS)
    const records: number[] = [IDLE_RECORD]
    let alignment = firstAlignment
    for (let at = 0; at < entries.length; at += ENTRY_WORDS) {
      const vector = chunk[at / ENTRY_WORDS]
      entries[at + ENTRY.frames] = vector?.frames ?? 1
      if (!vector) continue
      const { token, position, sequence, slot, aligned } = vector
      entries[at + ENTRY.token] = token
      entries[at + ENTRY.position] = position
      entries[at + ENTRY.record] = sequence[position]!.record
      entries[at + ENTRY.firstRecord] = records.length
      entries[at + ENTRY.slot] = slot
      if (aligned) entries[at + ENTRY.alignment] = ++alignment
      for (let i = 0; i <= position; i += 1) records.push(sequence[i]!.record)
    }
    gpu.write(table, 0, entries)
    gpu.write(list, 0, Uint32Array.from(records))
  }

  const stateBytes = width * 4

  /** Submits vectors whose attention to the window has room in `alignments`. @returns those that are aligned */
  const submitPart = async (part: readonly GpuTokenVector[]): Promise<GpuTokenVector[]> => {
    const done: GpuTokenVector[] = []
    for (let first = 0; first < part.length; first += MAX_SIDE_BY_SIDE) {
      const chunk = part.slice(first, first + MAX_SIDE_BY_SIDE)
      const layers = await dispatchesFor(chunk.length === 1 ? 1 : MAX_SIDE_BY_SIDE)
      writeTables(chunk, done.length)
      gpu.submit(layers, (encoder) => {
        for (const [row, { step }] of chunk.entries()) {
          if (step === undefined) continue
          encoder.copyBufferToBuffer(states, row * stateBytes, lastStates, step * stateBytes, stateBytes)
        }
      })
      done.push(...chunk.filter(({ aligned }) => aligned))
    }
    return done
  }

  const readAlignments = async (vectors: readonly GpuTokenVector[]) => {
    if (vectors.length === 0) return
    const all = new Float32Array(await gpu.read(alignments, vectors.length * alignmentNumbers * 4))
    for (const [index, { sequence, position }] of vectors.entries())
      sequence[position]!.alignment = all.slice(index * alignmentNumbers, (index + 1) * alignmentNumbers)
  }

  /** From the states of eight steps, or of one, to their logits. */
  const logitsFor = async (first: number, count: VectorCount): Promise<Dispatch[]> => {
    const key = `${first} ${count}`
    const known = logitDispatches.get(key)
    if (known) return known
    const from = { buffer: lastStates, offset: first * stateBytes }
    const to = { buffer: logits, offset: first * stride * 4 }
    const output = { inputs: width, outputs: vocabulary, count, to: 'store', bias: false, stride } as const
    const all: Dispatch[] = [
      await norm(from, lastNorm, count),
      await product(output, normal, { weights: embeddings, bias: null }, to),
      [await gpu.bind(logitSumsShader(vocabulary, stride), [to]), blocks, count],
    ]
    logitDispatches.set(key, all)
    return all
  }

  const readLogits = async (steps: number): Promise<Logits[]> => {
    if (steps === 0) return []
    for (let first = 0; first < steps; first += MAX_SIDE_BY_SIDE)
      gpu.submit(await logitsFor(first, steps - first === 1 ? 1 : MAX_SIDE_BY_SIDE))
    const all = new Float32Array(await gpu.read(logits, steps * stride * 4))
    return Array.from({ length: steps }, (_, step) => {
      const row = all.subarray(step * stride, (step + 1) * stride)
      const [maxima, sums] = [vocabulary, vocabulary + blocks]
      return {
        values: row.subarray(0, vocabulary),
        maxima: row.subarray(maxima, sums),
        sums: row.subarray(sums, sums + blocks),
      }
    })
  }

  for (const count of [1, MAX_SIDE_BY_SIDE] as const) {
    await dispatchesFor(count)
    await logitsFor(0, count)
  }

  return {
    async run(vectors, steps) {
      records.makeRoom(
        vectors.reduce((most, { sequence, position }) => Math.max(most, sequence[position]!.record + 1), 0),
      )
      for (let first = 0; first < vectors.length; first += atOnce) {
        const aligned = await submitPart(vectors.slice(first, first + atOnce))
        if (first + atOnce < vectors.length) await readAlignments(aligned)
        else {
          const [all] = await Promise.all([readLogits(steps), readAlignments(aligned)])
          return all
        }
      }
      return []
    },
  }
}
