// What the module exports, and which kernel each number stands for.
// Computes nothing itself. The numbers stand in ../kernel-numbers.ts once more, for the callers.

import { dequantize } from './dequantize'
import { logMel, normalizeMel } from './mel'
import { layerNorm } from './norm'

export { run, serve, stop } from './pool'

export function dispatch(kernel: i32, chunk: i32, thread: i32): void {
  switch (kernel) {
    case 10:
      layerNorm(chunk)
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
