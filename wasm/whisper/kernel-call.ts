// What each kernel is called with: every argument by its name, written to its place.
// Runs nothing; the names and their order are kernel-arguments.ts.

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

/** All are given: what is missing or misspelled does not compile. */
export type KernelArguments = { [K in KERNEL]: Record<keyof (typeof TABLES)[K], number> }

type Argument = { name: string; word: number; isFloat: boolean }

/** An enum holds, besides the number of each name, the name of each number. */
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

/** Allocates nothing, since a token takes a hundred calls. Both views begin where the kernels' memory does. */
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
