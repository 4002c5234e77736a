import { expect, test } from 'bun:test'
import { createSampleStore } from '../../../src/transcription/live/audio.ts'

const ramp = (from: number, to: number) =>
  Float32Array.from({ length: to - from }, (_, i) => (from + i) / 2 ** 20)

test('reads any range of samples pushed in pieces of any size', () => {
  const store = createSampleStore()
  let at = 0
  for (const size of [1, 7, 16_383, 0, 16_384, 50_000, 3]) {
    store.push(ramp(at, at + size))
    at += size
  }
  expect(store.samples()).toBe(at)
  expect(store.read(0, at)).toEqual(ramp(0, at))
  expect(store.read(16_380, 40_001)).toEqual(ramp(16_380, 40_001))
  expect(store.read(5, 5).length).toBe(0)
  expect(store.read(at - 2, at + 100)).toEqual(ramp(at - 2, at))
  expect(store.read(at + 1, at + 9).length).toBe(0)
})

test('drops old samples and accepts new ones', () => {
  const store = createSampleStore()
  store.push(ramp(0, 65_536))
  store.dropBefore(40_000)
  expect(store.read(40_000, 41_000)).toEqual(ramp(40_000, 41_000))
  expect(store.read(0, 41_000).length).toBeLessThan(41_000 - 16_384)
  store.dropBefore(65_536)
  store.push(ramp(65_536, 70_000))
  store.dropBefore(10)
  expect(store.read(0, 70_000)).toEqual(ramp(65_536, 70_000))
})

test('copies samples, replaces NaN and clips', () => {
  const store = createSampleStore()
  const samples = Float32Array.of(0.5, Number.NaN, Number.POSITIVE_INFINITY, -3)
  store.push(samples)
  samples.fill(0)
  expect([...store.read(0, 4)]).toEqual([0.5, 0, 1, -1])
})
