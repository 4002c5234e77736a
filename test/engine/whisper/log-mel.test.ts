// Compares the kernels' log-mel with float64, and its handling of the ends of the audio with whisper.cpp.

import { afterAll, describe, expect, test } from 'bun:test'
import { bytesInMemory, readGgmlFile } from '../../../src/engine/ggml-file.ts'
import { createLogMel, MEL_SCRATCH_BYTES } from '../../../src/engine/whisper/log-mel.ts'
import { relativeError } from '../../../src/engine/whisper/reference/arithmetic.ts'
import { referenceLogMel } from '../../../src/engine/whisper/reference/log-mel.ts'
import { openKernels } from '../../../wasm/whisper/kernels.ts'
import { samplesOf } from '../../support/flac.ts'
import { bundledBytes } from '../../support/ggml.ts'
import { melTriangles } from '../../support/model-files.ts'
import { createRandom } from '../../support/random.ts'

const bundled = readGgmlFile(bytesInMemory(await bundledBytes()))
if (!bundled.ok) throw new Error(bundled.failure.message)
const { filters } = bundled.value
const speech = await samplesOf('human-6.flac')
const random = createRandom(7)
const noise = Float32Array.from({ length: 16_000 }, () => 0.1 * random())

/** Half of full scale at 1 kHz, the 25th frequency of the transform. */
const tone = (seconds: number) =>
  Float32Array.from({ length: 16_000 * seconds }, (_, i) => 0.5 * Math.sin((2 * Math.PI * i) / 16))

const greatestDifference = (one: ArrayLike<number>, other: ArrayLike<number>) => {
  let greatest = 0
  for (let i = 0; i < other.length; i += 1) greatest = Math.max(greatest, Math.abs(one[i]! - other[i]!))
  return greatest
}

/** The logarithm of the minimum power, from which the kernel differs in the last bit. */
const isSilent = (mel: Float32Array) => mel.every((value) => Math.abs(value + 1.5) < 1e-6)

describe.each([1, 2])('on the kernels with %d threads', async (threads) => {
  const kernels = await openKernels({ threads, scratchBytes: MEL_SCRATCH_BYTES })
  afterAll(() => kernels.close())
  const open = (bands: number, bandFilters: Float32Array) => {
    const logMel = createLogMel({ kernels, filters: bandFilters, bands })
    const window = (from = 0) => {
      const at = logMel.window(from) / 4
      return kernels.floats().slice(at, at + 3000 * bands)
    }
    return { ...logMel, window }
  }
  const mel = open(80, filters)

  test('agrees with float64 on speech', () => {
    mel.compute(speech)
    const expected = referenceLogMel(speech, filters, 80).numbers.subarray(0, 3000 * 80)
    expect(relativeError(mel.window(), expected)).toBeLessThan(1e-6)
    expect(greatestDifference(mel.window(), expected)).toBeLessThan(1e-4)
  })

  test('computes 128 bands', () => {
    const wide = open(128, melTriangles(128))
    wide.compute(noise)
    const expected = referenceLogMel(noise, melTriangles(128), 128).numbers.subarray(0, 3000 * 128)
    expect(greatestDifference(wide.window(), expected)).toBeLessThan(1e-4)
  })

  test('has its maximum at the frequency of a tone', () => {
    mel.compute(tone(1))
    const frame = [...mel.window(50).subarray(0, 80)]
    const loudest = frame.indexOf(Math.max(...frame))
    expect(filters[201 * loudest + 25]).toBeGreaterThan(0)
    expect(Math.max(...frame) - Math.min(...frame)).toBeCloseTo(2, 5)
  })

  test('counts frames like whisper.cpp, also after longer audio', () => {
    const frames = [0, 1, 40, 41, 359, 360, 16_000, 480_000].map((length) =>
      mel.compute(new Float32Array(length)),
    )
    expect(frames).toEqual([0, 0, 0, 1, 1, 2, 99, 2999])
    mel.compute(tone(30))
    mel.compute(noise)
    const expected = referenceLogMel(noise, filters, 80).numbers.subarray(0, 3000 * 80)
    expect(greatestDifference(mel.window(), expected)).toBeLessThan(1e-4)
  })

  test('returns windows from any frame, padded with silence', () => {
    const frames = mel.compute(speech)
    const expected = referenceLogMel(speech, filters, 80).numbers
    for (const from of [1, 170, frames]) {
      const window = expected.subarray(80 * from, 80 * (from + 3000))
      expect(greatestDifference(mel.window(from).subarray(0, window.length), window)).toBeLessThan(1e-4)
    }
    expect(() => mel.window(frames + 1)).toThrow(RangeError)
    expect(() => mel.window(-1)).toThrow(RangeError)
  })

  test('returns silence for no samples and for silence', () => {
    for (const length of [0, 1, 200, 16_000]) {
      mel.compute(new Float32Array(length))
      expect(isSilent(mel.window())).toBe(true)
    }
  })

  test('treats NaN and values out of range as silence', () => {
    const broken = noise.slice()
    const mended = noise.slice()
    const strange = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 3e38, -3e38]
    for (const [index, value] of strange.entries()) {
      broken[1000 * index] = value
      mended[1000 * index] = 0
    }
    mel.compute(mended)
    const expected = mel.window()
    mel.compute(broken)
    expect(mel.window()).toEqual(expected)
    mel.compute(Float32Array.of(Number.NaN))
    expect(isSilent(mel.window())).toBe(true)
    mel.compute(new Float32Array(16_000).fill(9e14))
    expect(mel.window().every((value) => Number.isFinite(value))).toBe(true)
  })

  test('rejects more than 30 s at once', () => {
    expect(() => mel.compute(new Float32Array(480_001))).toThrow(RangeError)
  })
})
