// Whisper's encoder in float64, every layer's result kept.
// Runs the whole of what it is given: how many frames that are is the caller's choice.

import { gelu, linear, type Matrix, matrix, rowOf, sum } from './arithmetic.ts'
import { attend, feedForward, norm, project } from './layers.ts'
import type { ReferenceModel } from './model.ts'

export type ReferenceEncoding = {
  /** after both convolutions, with positions added */
  embedded: Matrix
  /** what each layer gives on */
  layers: Matrix[]
  output: Matrix
}

/** Three neighbours of each frame in one row, in the order of the weights: input by input, its three frames. */
const neighbours = (from: Matrix, step: number) => {
  const to = matrix(from.rows / step, 3 * from.width)
  for (let row = 0; row < to.rows; row += 1) {
    for (const shift of [-1, 0, 1]) {
      const near = row * step + shift
      if (near < 0 || near >= from.rows) continue
      for (let i = 0; i < from.width; i += 1) {
        to.numbers[row * to.width + 3 * i + shift + 1] = from.numbers[near * from.width + i]!
      }
    }
  }
  return to
}

const convolve = ({ tensor }: ReferenceModel, name: string, from: Matrix, step: number) =>
  gelu(linear(neighbours(from, step), tensor(`${name}.weight`), tensor(`${name}.bias`)))

const layer = (model: ReferenceModel, block: string, from: Matrix) => {
  const normal = norm(model, `${block}.attn_ln`, from)
  const { mixed } = attend(
    {
      queries: project(model, `${block}.attn.query`, normal),
      keys: project(model, `${block}.attn.key`, normal),
      values: project(model, `${block}.attn.value`, normal),
    },
    () => from.rows,
  )
  const attended = sum(from, project(model, `${block}.attn.out`, mixed))
  return sum(attended, feedForward(model, block, attended))
}

/** @param mel an even number of frames, at most twice the model's audioFrames */
export const referenceEncode = (model: ReferenceModel, mel: Matrix): ReferenceEncoding => {
  const convolved = convolve(model, 'encoder.conv2', convolve(model, 'encoder.conv1', mel, 1), 2)
  const positions = model.tensor('encoder.positional_embedding')
  const embedded = matrix(
    convolved.rows,
    convolved.width,
    convolved.numbers.map((x, i) => x + positions[i]!),
  )
  const layers: Matrix[] = []
  for (let index = 0; index < model.file.shape.audioLayers; index += 1) {
    layers.push(layer(model, `encoder.blocks.${index}`, layers.at(-1) ?? embedded))
  }
  return { embedded, layers, output: norm(model, 'encoder.ln_post', layers.at(-1) ?? embedded) }
}

/** The first frames of a log-mel. */
export const firstFrames = (mel: Matrix, frames: number): Matrix =>
  matrix(frames, mel.width, mel.numbers.slice(0, rowOf(mel, 0).length * frames))
