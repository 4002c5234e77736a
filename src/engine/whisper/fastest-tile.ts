// Chooses the tile that is faster on this processor, by a race. Both give the same bits, so the choice changes no text.

import {
  BLOCK,
  multiplyRows,
  panelBytes,
  scaleBytes,
  useTile,
} from '../../../wasm/whisper/encoder-kernels.ts'
import { OUTPUT_PANEL, ROW_PANEL, TILE } from '../../../wasm/whisper/interface.ts'
import type { Kernels } from '../../../wasm/whisper/kernels.ts'

/** 2.4 million operations: 0.03 ms, so that few runs are interrupted. */
const ROWS = 48
const OUTPUTS = 64
/**
 * Enough for the runtime to compile both tiles with optimization, without which `apart` is no faster. If a busy
 * computer takes longer, the race chooses `together`.
 */
const ROUNDS = 100
/** Less of a difference may be chance. */
const CLEARLY_FASTER = 0.9

/** A product of zeros, on one thread. */
const createProduct = (kernels: Kernels) => {
  const panels = (height: number, rows: number) => ({
    at: kernels.allocate(panelBytes(height, rows, BLOCK)),
    scales: kernels.allocate(scaleBytes(height, rows)),
  })
  const input = panels(ROW_PANEL, ROWS)
  const weights = panels(OUTPUT_PANEL, OUTPUTS)
  const layer = {
    weights,
    bias: kernels.allocate(OUTPUTS * 4),
    inputs: BLOCK,
    outputs: OUTPUTS,
    block: BLOCK,
  }
  const to = kernels.allocate(ROWS * OUTPUTS * 4)
  return () => multiplyRows(kernels, { rows: ROWS, input, layer, to })
}

/** Sets the kernels' tile. The least time of many short runs counts, since other programs can only add to it. */
export const useFastestTile = (kernels: Kernels, now: () => number = () => performance.now()): TILE => {
  const before = kernels.mark()
  const multiply = createProduct(kernels)
  const least = { [TILE.together]: Number.POSITIVE_INFINITY, [TILE.apart]: Number.POSITIVE_INFINITY }
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const tile of [TILE.together, TILE.apart]) {
      useTile(kernels, tile)
      const startedAt = now()
      multiply()
      least[tile] = Math.min(least[tile], now() - startedAt)
    }
  }
  kernels.release(before)
  const fastest = least[TILE.apart] < CLEARLY_FASTER * least[TILE.together] ? TILE.apart : TILE.together
  useTile(kernels, fastest)
  return fastest
}
