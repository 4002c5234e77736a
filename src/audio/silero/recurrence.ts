// Silero's recurrent part: an LSTM across frames, and the output probability.

import { FLOAT_GRID } from '../../../wasm/whisper/interface.ts'
import type { Kernels } from '../../../wasm/whisper/kernels.ts'
import {
  multiplyTokens,
  packedBytes,
  packMatrix,
  packVectors,
  vectorBytes,
} from '../../../wasm/whisper/token-kernels.ts'
import { createLayer } from './layer.ts'
import { type SileroWeights, WIDTH } from './weights.ts'

export const STATE_LENGTH = 2 * WIDTH
const GATES = 4 * WIDTH

export type Recurrence = {
  /**
   * @param encoded f32 [count][WIDTH]
   * @param state hidden state and cell state, f32 [2][WIDTH]; updated to those after the last frame
   */
  follow(encoded: Float32Array, count: number, state: Float32Array): Float32Array
}

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x))

export const createRecurrence = (kernels: Kernels, weights: SileroWeights, maxFrames: number): Recurrence => {
  const { fromInput, fromMemory, bias, memoryBias, last } = weights
  const fromFrames = createLayer(kernels, {
    inputs: WIDTH,
    outputs: GATES,
    maxRows: maxFrames,
    bias: bias.map((value, gate) => value + memoryBias[gate]!),
    weight: (output, input) => fromInput[output * WIDTH + input]!,
  })
  const floats = (at: number, count: number) => kernels.floats().subarray(at / 4, at / 4 + count)
  const grid = FLOAT_GRID
  const matrix = { at: kernels.allocate(packedBytes(GATES, WIDTH, grid)), rows: GATES, inputs: WIDTH, grid }
  const vectors = {
    at: kernels.allocate(vectorBytes(WIDTH, grid)),
    scales: kernels.allocate(4),
    width: WIDTH,
    grid,
  }
  const hiddenAt = kernels.allocate(WIDTH * 4)
  const gatesAt = kernels.allocate(GATES * 4)
  const before = kernels.mark()
  const plain = kernels.allocate(GATES * WIDTH * 4)
  floats(plain, GATES * WIDTH).set(fromMemory)
  packMatrix(kernels, plain, matrix)
  kernels.release(before)

  /** One frame: computes the gates from the input and the hidden state, then updates cell and hidden state. */
  const step = (
    fromFrame: Float32Array,
    hidden: Float32Array,
    cell: Float32Array,
    gates: Float32Array,
  ): number => {
    gates.set(fromFrame)
    packVectors(kernels, { at: hiddenAt, count: 1 }, vectors)
    multiplyTokens(kernels, { matrix, vectors, count: 1, to: gatesAt, bias: 0, finish: 'add' })
    let sum = last.bias
    for (let i = 0; i < WIDTH; i += 1) {
      const taken = sigmoid(gates[i]!) * Math.tanh(gates[2 * WIDTH + i]!)
      cell[i] = sigmoid(gates[WIDTH + i]!) * cell[i]! + taken
      hidden[i] = sigmoid(gates[3 * WIDTH + i]!) * Math.tanh(cell[i]!)
      sum += Math.max(0, hidden[i]!) * last.weight[i]!
    }
    return sigmoid(sum)
  }

  return {
    follow(encoded, count, state) {
      fromFrames.rows().set(encoded)
      const fromEach = fromFrames.multiply(count)
      const [hidden, gates] = [floats(hiddenAt, WIDTH), floats(gatesAt, GATES)]
      const cell = state.subarray(WIDTH)
      hidden.set(state.subarray(0, WIDTH))
      const probabilities = new Float32Array(count)
      for (let frame = 0; frame < count; frame += 1)
        probabilities[frame] = step(
          fromEach.subarray(frame * GATES, (frame + 1) * GATES),
          hidden,
          cell,
          gates,
        )
      state.set(hidden)
      return probabilities
    },
  }
}
