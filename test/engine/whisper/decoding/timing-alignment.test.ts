// Uses made-up attention.

import { describe, expect, test } from 'bun:test'
import { createRandom } from '../../../../src/engine/whisper/decoding/sample.ts'
import {
  alignmentHeads,
  createMedianFilter,
  firstColumns,
  firstFrames,
} from '../../../../src/engine/whisper/decoding/timing.ts'
import { type AttentionWeights, attentionOf } from '../attention-weights.ts'

describe('the median filter', () => {
  const naive = (row: number[], width: number) =>
    row.map((_, at) => {
      const near = Array.from({ length: width }, (_, i) => {
        const from = Math.abs(at + i - (width - 1) / 2)
        return row[Math.max(0, from < row.length ? from : 2 * (row.length - 1) - from)]!
      })
      return near.sort((a, b) => a - b)[(width - 1) / 2]!
    })

  test('returns the median of each seven, mirrored at the ends', () => {
    const random = createRandom(3)
    const row = Float32Array.from({ length: 200 }, () => Math.round(10 * random()))
    expect([...createMedianFilter(200, 7)(row)]).toEqual(naive([...row], 7))
  })

  test.each([1, 2, 3, 5])('of %p numbers returns as many', (length) => {
    expect(createMedianFilter(length, 7)(Float32Array.from({ length }, (_, i) => i))).toHaveLength(length)
  })

  test('removes a single peak', () => {
    expect([...createMedianFilter(7, 7)(Float32Array.of(0, 0, 0, 9, 0, 0, 0))]).toEqual([0, 0, 0, 0, 0, 0, 0])
  })
})

describe('the cheapest path', () => {
  test('follows a diagonal that costs nothing', () => {
    const costs = Float32Array.from({ length: 16 }, (_, i) => (i % 5 === 0 ? 0 : 1))
    expect(firstColumns(costs, 4, 4)).toEqual([0, 1, 2, 3])
  })

  test('stays in a row while that is cheapest', () => {
    const costs = Float32Array.of(0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 0, 0)
    expect(firstColumns(costs, 2, 6)).toEqual([0, 4])
  })

  test('passes several rows in one column if there are more rows', () => {
    expect(firstColumns(new Float32Array(6), 3, 2)[0]).toBe(0)
    expect(firstColumns(new Float32Array(5), 5, 1)).toEqual([0, 0, 0, 0, 0])
  })
})

describe('tokens', () => {
  /** Each head attends to where the token is spoken, with some noise, and always to frame 5. */
  const attention = (spokenAt: number[], heads: number, frames: number): AttentionWeights => {
    const random = createRandom(1)
    const weights = new Float32Array(spokenAt.length * heads * frames)
    for (const [token, center] of spokenAt.entries()) {
      for (let head = 0; head < heads; head += 1) {
        const at = (token * heads + head) * frames
        for (let frame = 0; frame < frames; frame += 1) {
          const near = Math.exp(-(((frame - center) / 6) ** 2))
          weights[at + frame] = 0.05 * near + 0.005 * random() + (frame === 5 ? 0.5 : 0)
        }
      }
    }
    return { tokens: spokenAt.length, heads, frames, weights }
  }

  test('begin halfway between the attention to them and to the token before', () => {
    const spokenAt = [10, 40, 60, 100, 160]
    const alignment = attention(spokenAt, 4, 300)
    const frames = firstFrames(attentionOf(alignment), [0, 1, 2, 3, 4], 200)
    expect(frames[0]).toBe(0)
    for (const [i, center] of spokenAt.entries()) {
      if (i === 0) continue
      const between = (spokenAt[i - 1]! + center) / 2
      expect(Math.abs(frames[i]! - between)).toBeLessThan((center - spokenAt[i - 1]!) / 2)
    }
  })

  describe('are not affected', () => {
    const spokenAt = [10, 40, 60, 100, 160]
    const rows = [0, 1, 2, 3, 4]

    const expectInOrder = (alignment: AttentionWeights) => {
      for (const [i, frame] of firstFrames(attentionOf(alignment), rows, 200).entries()) {
        if (i > 0) expect(frame).toBeWithin(spokenAt[i - 1]!, spokenAt[i]! + 1)
      }
    }

    /** @param strange additional attention, by token, head and frame */
    const withStrange = (heads: number, strange: (token: number, head: number, frame: number) => number) => {
      const alignment = attention(spokenAt, heads, 300)
      for (const [at, weight] of alignment.weights.entries()) {
        const row = Math.floor(at / 300)
        alignment.weights[at] = weight + strange(Math.floor(row / heads), row % heads, at % 300)
      }
      return alignment
    }

    test('by a frame with constant attention', () => {
      expectInOrder(withStrange(4, (_, __, frame) => (frame >= 120 && frame < 128 ? 5 : 0)))
    })

    test('by scattered frames that one token attends to', () => {
      expectInOrder(withStrange(4, (token, _, frame) => (token === 1 && frame > 66 && frame % 6 < 2 ? 5 : 0)))
    })

    test('by one head without a focus', () => {
      const alignment = attention(spokenAt, 3, 300)
      for (const row of rows) alignment.weights.fill(1 / 300, row * 3 * 300, (row * 3 + 1) * 300)
      expectInOrder(alignment)
    })
  })

  test('never begin after the audio ends', () => {
    const frames = firstFrames(attentionOf(attention([10, 40, 250], 2, 300)), [0, 1, 2], 100)
    expect(Math.max(...frames)).toBeLessThan(100)
  })

  test('can be selected', () => {
    const frames = firstFrames(attentionOf(attention([10, 200, 60], 2, 300)), [0, 2], 100)
    expect(frames).toHaveLength(2)
    expect(frames[1]).toBeWithin(20, 60)
  })
})

describe('the heads that follow the speech', () => {
  const shape = { vocabulary: 51_864, audioLayers: 4, textLayers: 4, textHeads: 6 }

  test('are the published ones for a known model', () => {
    expect(alignmentHeads(shape)).toHaveLength(8)
    expect(alignmentHeads(shape)[0]).toEqual([1, 0])
    expect(alignmentHeads({ ...shape, vocabulary: 51_865 })).toHaveLength(6)
  })

  test('of turbo differ from those of another model with four layers', () => {
    const turbo = { vocabulary: 51_866, audioLayers: 32, textLayers: 4, textHeads: 20 }
    expect(alignmentHeads(turbo).map((head) => head.join('.'))).toEqual([
      '2.4',
      '2.11',
      '3.3',
      '3.6',
      '3.11',
      '3.14',
    ])
  })

  test('are the upper half of the layers for an unknown model', () => {
    const heads = alignmentHeads({ vocabulary: 51_865, audioLayers: 3, textLayers: 3, textHeads: 2 })
    expect(heads).toEqual([
      [1, 0],
      [1, 1],
      [2, 0],
      [2, 1],
    ])
  })
})
