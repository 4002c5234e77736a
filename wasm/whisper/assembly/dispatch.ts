// Calls the kernel of a number.

import { KERNEL } from '../interface'
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
import { sumLogits } from './token-logits'
import { packMatrix, packTransposed } from './token-pack'
import { multiply } from './token-product'
import { packVectors } from './token-vectors'

export function dispatch(kernel: i32, chunk: i32, thread: i32): void {
  switch (kernel) {
    case KERNEL.layerNorm:
      layerNorm(chunk)
      break
    case KERNEL.packRows:
      packRows(chunk, thread)
      break
    case KERNEL.packValues:
      packValues(chunk)
      break
    case KERNEL.product:
      product(chunk, thread)
      break
    case KERNEL.attention:
      attention(chunk, thread)
      break
    case KERNEL.copyRows:
      copyRows(chunk, thread)
      break
    case KERNEL.copyValues:
      copyValues(chunk)
      break
    case KERNEL.packMatrix:
      packMatrix(chunk)
      break
    case KERNEL.packTransposed:
      packTransposed(chunk)
      break
    case KERNEL.packVectors:
      packVectors(chunk, thread)
      break
    case KERNEL.multiply:
      multiply(chunk, thread)
      break
    case KERNEL.embed:
      embed(chunk)
      break
    case KERNEL.attendTokens:
      attendTokens(chunk, thread)
      break
    case KERNEL.attendFrames:
      attendFrames(chunk, thread)
      break
    case KERNEL.sumLogits:
      sumLogits(chunk)
      break
    case KERNEL.logMel:
      logMel(chunk, thread)
      break
    case KERNEL.normalizeMel:
      normalizeMel(chunk)
      break
    case KERNEL.dequantize:
      dequantize(chunk)
      break
    default:
      unreachable()
  }
}
