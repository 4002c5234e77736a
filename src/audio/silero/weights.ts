// Reads Silero's weights for 16 kHz from the published ONNX file.

import { readTensors } from './onnx-tensors.ts'

/** The graph has branches for 16 kHz and 8 kHz; versions 5 and 6 both give the first one this name. */
const BRANCH = 'If_0_then_branch__Inline_0__'

/** Length of a window in samples, and the distance to the next. */
export const WINDOW = 256
export const HOP = 128
/** The basis has this many rows of real parts, then as many of imaginary parts. */
export const FREQUENCIES = WINDOW / 2 + 1
/** The length of the hidden state and of the cell state. */
export const WIDTH = 128

/** Convolutions over three moments, with zero padding on both sides. */
const CONVOLUTIONS = [
  { inputs: FREQUENCIES, outputs: 128, stride: 1 },
  { inputs: 128, outputs: 64, stride: 2 },
  { inputs: 64, outputs: 64, stride: 2 },
  { inputs: 64, outputs: 128, stride: 1 },
] as const

export type ConvolutionWeights = {
  inputs: number
  outputs: number
  stride: number
  /** [outputs][inputs][3] */
  weight: Float32Array
  bias: Float32Array
}

export type SileroWeights = {
  /** [2 · FREQUENCIES][WINDOW] */
  basis: Float32Array
  convolutions: ConvolutionWeights[]
  /** LSTM weights in PyTorch's layout: [4 · WIDTH][WIDTH], in the order input, forget, cell, output */
  fromInput: Float32Array
  fromMemory: Float32Array
  bias: Float32Array
  memoryBias: Float32Array
  /** the output layer, from the hidden state to one number */
  last: { weight: Float32Array; bias: number }
}

/** @throws Error that names the missing tensor */
export function readWeights(file: Uint8Array): SileroWeights {
  const tensors = readTensors(file)
  const take = (name: string, ...shape: number[]) => {
    const tensor = tensors.get(BRANCH + name)
    const length = shape.reduce((product, one) => product * one, 1)
    if (tensor?.shape.join() !== shape.join() || tensor.values.length !== length)
      throw new Error(`the speech detector's model file has no tensor ${name} of shape ${shape.join(' × ')}`)
    return tensor.values
  }
  const [lastBias] = take('decoder.decoder.2.bias', 1)
  return {
    basis: take('stft.forward_basis_buffer', 2 * FREQUENCIES, 1, WINDOW),
    convolutions: CONVOLUTIONS.map(({ inputs, outputs, stride }, index) => ({
      inputs,
      outputs,
      stride,
      weight: take(`encoder.${index}.reparam_conv.weight`, outputs, inputs, 3),
      bias: take(`encoder.${index}.reparam_conv.bias`, outputs),
    })),
    fromInput: take('decoder.rnn.weight_ih', 4 * WIDTH, WIDTH),
    fromMemory: take('decoder.rnn.weight_hh', 4 * WIDTH, WIDTH),
    bias: take('decoder.rnn.bias_ih', 4 * WIDTH),
    memoryBias: take('decoder.rnn.bias_hh', 4 * WIDTH),
    last: { weight: take('decoder.decoder.2.weight', 1, WIDTH, 1), bias: lastBias! },
  }
}
