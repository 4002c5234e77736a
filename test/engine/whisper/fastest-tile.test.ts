// The race of the two tiles, on a clock that runs slower with one of them.

import { afterAll, expect, test } from 'bun:test'
import { useFastestTile } from '../../../src/engine/whisper/fastest-tile.ts'
import { ENCODER_SCRATCH_BYTES } from '../../../wasm/whisper/encoder-kernels.ts'
import { TILE, TILE_AT } from '../../../wasm/whisper/interface.ts'
import { type Kernels, openKernels } from '../../../wasm/whisper/kernels.ts'

const kernels = await openKernels({ threads: 1, scratchBytes: ENCODER_SCRATCH_BYTES })
afterAll(() => kernels.close())

const inUse = (): TILE => new Uint32Array(kernels.bytes().buffer)[TILE_AT / 4]!

/** @param delays milliseconds of a run with each tile, on the clock of this race */
const race = (delays: (run: number) => Record<TILE, number>) => {
  let [runs, clock] = [0, 0]
  const timed: Kernels = {
    ...kernels,
    run(...call) {
      clock += delays(runs)[inUse()]
      runs += 1
      return kernels.run(...call)
    },
  }
  return useFastestTile(timed, () => clock)
}

test('uses the tile whose least time is clearly shorter', () => {
  expect(race(() => ({ [TILE.together]: 1, [TILE.apart]: 0.6 }))).toBe(TILE.apart)
  expect(inUse()).toBe(TILE.apart)
  expect(race(() => ({ [TILE.together]: 1, [TILE.apart]: 3 }))).toBe(TILE.together)
  expect(inUse()).toBe(TILE.together)
})

test('does not change the tile for a difference that may be chance', () => {
  expect(race(() => ({ [TILE.together]: 1, [TILE.apart]: 0.95 }))).toBe(TILE.together)
})

test('ignores interrupted runs', () => {
  const delays = (run: number) => ({ [TILE.together]: 1, [TILE.apart]: run % 10 === 1 ? 0.6 : 50 })
  expect(race(delays)).toBe(TILE.apart)
})

test('releases its memory, and runs on real time', () => {
  const before = kernels.mark()
  expect([TILE.together, TILE.apart]).toContain(useFastestTile(kernels))
  expect(kernels.mark()).toBe(before)
})
