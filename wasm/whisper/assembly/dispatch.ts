// Which kernel each number stands for.
// Computes nothing itself. The numbers stand in ../kernel-numbers.ts once more, for the callers.

import { attention } from './attention'
import { dequantize } from './dequantize'
import { copyRows, copyValues } from './float-panels'
import { attendFrames } from './frame-attention'
import { logMel, normalizeMel } from './mel'
import { layerNorm } from './norm'
import { product } from './product'
import { packRows, packValues } from './quantize'
import { attendTokens } from './token-attention'
import { embed } from './token-embedding'
import { packMatrix, packTransposed } from './token-pack'
import { multiply } from './token-product'
import { packVectors } from './token-vectors'

export function dispatch(kernel: i32, chunk: i32, thread: i32): void {
  switch (kernel) {
    case 10:
      layerNorm(chunk)
      break
    case 11:
      packRows(chunk, thread)
      break
    case 12:
      packValues(chunk)
      break
    case 13:
      product(chunk, thread)
      break
    case 14:
      attention(chunk, thread)
      break
    case 15:
      copyRows(chunk, thread)
      break
    case 16:
      copyValues(chunk)
      break
    case 30:
      packMatrix(chunk)
      break
    case 31:
      packTransposed(chunk)
      break
    case 32:
      packVectors(chunk, thread)
      break
    case 33:
      multiply(chunk, thread)
      break
    case 34:
      embed(chunk)
      break
    case 35:
      attendTokens(chunk, thread)
      break
    case 36:
      attendFrames(chunk, thread)
      break
    case 50:
      logMel(chunk, thread)
      break
    case 51:
      normalizeMel(chunk)
      break
    case 60:
      dequantize(chunk)
      break
    default:
      unreachable()
  }
}
