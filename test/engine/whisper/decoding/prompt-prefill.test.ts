// Feeding a long prompt: whole, in order, and with pauses.

import { expect, test } from 'bun:test'
import { prefill } from '../../../../src/engine/whisper/decoding/prompt.ts'
import { createYield } from '../../../../src/engine/whisper/yield.ts'
import { createScripted } from './scripted-decoder.ts'

const LENGTHS = [1, 15, 16, 17, 32, 33, 224]

test.each(LENGTHS)('feeds %d tokens in order, and returns the logits after the last', async (length) => {
  const read: number[][] = []
  const { decoder } = createScripted({
    next(sequence) {
      read.push([...sequence])
      return { [sequence.length]: 0.9 }
    },
  })
  const tokens = Array.from({ length }, (_, i) => i + 7)
  const { values } = await prefill({ decoder, yieldNow: createYield(new AbortController().signal) }, tokens)
  expect(read).toEqual([tokens])
  expect(values.indexOf(Math.max(...values))).toBe(length)
})

test('stops at an abort, before the last token', async () => {
  const { decoder } = createScripted({ next: () => ({}) })
  const controller = new AbortController()
  let yields = 0
  const yieldNow = async () => {
    yields += 1
    if (yields === 3) controller.abort(new Error('enough'))
    controller.signal.throwIfAborted()
  }
  const reading = prefill({ decoder, yieldNow }, new Array<number>(200).fill(1))
  expect(await reading.catch(({ message }) => message)).toBe('enough')
  expect(decoder.length(0)).toBe(32)
})
