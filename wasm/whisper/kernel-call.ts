// Writes a kernel's arguments, by name, to their words in the control block.

import { ARGUMENTS_AT, KERNEL } from './interface.ts'
import {
  ATTEND_FRAMES,
  ATTEND_TOKENS,
  ATTENTION,
  DEQUANTIZE,
  EMBED,
  LAYER_NORM,
  LOG_MEL,
  MULTIPLY,
  NORMALIZE_MEL,
  PACK_MATRIX,
  PACK_ROWS,
  PACK_TRANSPOSED,
  PACK_VALUES,
  PACK_VECTORS,
  PRODUCT,
  SUM_LOGITS,
} from './kernel-arguments.ts'

const TABLES = {
  [KERNEL.layerNorm]: LAYER_NORM,
  [KERNEL.packRows]: PACK_ROWS,
  [KERNEL.packValues]: PACK_VALUES,
  [KERNEL.product]: PRODUCT,
  [KERNEL.attention]: ATTENTION,
  [KERNEL.copyRows]: PACK_ROWS,
  [KERNEL.copyValues]: PACK_VALUES,
  [KERNEL.packMatrix]: PACK_MATRIX,
  [KERNEL.packTransposed]: PACK_TRANSPOSED,
  [KERNEL.packVectors]: PACK_VECTORS,
  [KERNEL.multiply]: MULTIPLY,
  [KERNEL.embed]: EMBED,
  [KERNEL.attendTokens]: ATTEND_TOKENS,
  [KERNEL.attendFrames]: ATTEND_FRAMES,
  [KERNEL.sumLogits]: SUM_LOGITS,
  [KERNEL.logMel]: LOG_MEL,
  [KERNEL.normalizeMel]: NORMALIZE_MEL,
  [KERNEL.dequantize]: DEQUANTIZE,
} satisfies Record<KERNEL, object>

/** Every argument is required: a missing or misspelled one does not compile. */
export type KernelArguments = { [K in KERNEL]: Record<keyof (typeof TABLES)[K], number> }

type Argument = { name: string; word: number; isFloat: boolean }

/** An enum object maps names to numbers and numbers back to names; keeps the former. */
const argumentsIn = (table: object): Argument[] =>
  Object.entries(table)
    .filter(([, place]) => typeof place === 'number')
    .map(([name, place]) => ({
      name,
      word: ARGUMENTS_AT / 4 + (place < 0 ? ~place : place),
      isFloat: place < 0,
    }))

const ARGUMENTS = new Map(
  Object.entries(TABLES).map(([kernel, table]) => [Number(kernel), argumentsIn(table)]),
)

/** Allocates nothing, because each token takes a hundred calls. Both views start at the beginning of the kernels' memory. */
export const writeArguments = <K extends KERNEL>(
  views: { words: Uint32Array; floats: Float32Array },
  kernel: K,
  values: KernelArguments[K],
) => {
  const named: Record<string, number> = values
  for (const { name, word, isFloat } of ARGUMENTS.get(kernel)!) {
    if (isFloat) views.floats[word] = named[name]!
    else views.words[word] = named[name]!
  }
}
