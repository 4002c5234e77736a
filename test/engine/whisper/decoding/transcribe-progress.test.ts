// The progress events of a call. The decoder is scripted.

import { expect, test } from 'bun:test'
import type { WindowModel } from '../../../../src/engine/whisper/decoding/decode-segment.ts'
import { transcribeSamples } from '../../../../src/engine/whisper/decoding/transcribe.ts'
import { createScripted, type Heard, type Likely, request, writes } from './scripted-decoder.ts'

const { at } = createScripted({ next: () => ({}) })

type ProgressOptions = {
  seconds: number
  language?: string | null
  encode?: (windowModel: WindowModel) => WindowModel['encode']
}

/** @returns each reported fraction */
const progressOf = async (
  next: (sequence: readonly number[], heard: Heard) => Likely,
  { seconds, language = 'en', encode }: ProgressOptions,
): Promise<number[]> => {
  const fractions: number[] = []
  const { windowModel } = createScripted({ next })
  const observed = encode ? { ...windowModel, encode: encode(windowModel) } : windowModel
  const onProgress = (fraction: number) => fractions.push(fraction)
  await transcribeSamples(observed, { ...request(seconds), language, onProgress })
  expect(fractions).toEqual(fractions.toSorted((a, b) => a - b))
  expect(new Set(fractions).size).toBe(fractions.length)
  expect(fractions.at(-1)).toBe(1)
  return fractions
}

test('rises with the decoded timestamps, to 1', async () => {
  const textAt = (second: number) =>
    second === 0 ? [at(0), 1, at(7), at(7), 2, at(14), at(14)] : [at(0), 3, at(13)]
  const fractions = await progressOf(
    (sequence, { fromSample }) => writes(textAt(fromSample / 16_000))(sequence),
    { seconds: 28 },
  )
  expect(fractions.slice(0, 2).map((fraction) => fraction.toFixed(2))).toEqual(['0.25', '0.50'])
})

test.each(['en', null])('begins while a window is encoded, long before any text (%p)', async (language) => {
  const encode =
    (windowModel: WindowModel): WindowModel['encode'] =>
    async (fromSample, frames, onPart) => {
      for (const part of [0.25, 0.5, 1]) onPart?.(part)
      await windowModel.encode(fromSample, frames)
    }
  const fractions = await progressOf(writes([at(0), 1, at(5)]), { seconds: 5, language, encode })
  expect(fractions.slice(0, 3).map((fraction) => fraction.toFixed(3))).toEqual(['0.125', '0.250', '0.500'])
})

test('does not fall when a piece is decoded again', async () => {
  const next = (sequence: readonly number[]): Likely => {
    const [id] = Object.keys(writes([at(0), 1, at(3), at(3), 2, at(5)])(sequence))
    return { [id!]: 0.22, 151: 0.2, 152: 0.2, 153: 0.19, 154: 0.19 }
  }
  await progressOf(next, { seconds: 6 })
})
