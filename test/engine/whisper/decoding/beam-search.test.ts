// Which beams continue from which prefix, which are kept, and when the search ends. The decoder is scripted.

import { expect, test } from 'bun:test'
import { searchBeams } from '../../../../src/engine/whisper/decoding/beam-search.ts'
import { createYield } from '../../../../src/engine/whisper/yield.ts'
import { createScripted, type Likely, type Script, writtenAfter } from './scripted-decoder.ts'

const { at, tokens } = createScripted({ next: () => ({}) })

const search = async (script: Script, beams: number, { restFrames = 1000, maxTokens = 60 } = {}) => {
  const { decoder, advanced, windowModel } = createScripted(script)
  await windowModel.encode(0, 1500, () => {})
  const piece = { tokens, restFrames, windowFrames: 3000, timestamps: true, maxTokens }
  const yieldNow = createYield(new AbortController().signal)
  const prompt = { untilStart: [tokens.start], task: [] }
  const { candidates } = await searchBeams({ decoder, piece, yieldNow }, prompt, { beams })
  const ids = candidates.map(({ sequence }) => sequence.tokens.map(({ id }) => id))
  return { ids, candidates, steps: advanced.slice(1) }
}

test('copies the prefix to a beam that branches off', async () => {
  const pasts = new Set<number>()
  const next = (sequence: readonly number[]): Likely => {
    pasts.add(sequence[0]!)
    const written = writtenAfter(sequence)
    if (written.length === 0) return { [at(0)]: 1 }
    return written.length < 4 ? { 1: 0.5, 2: 0.3, 3: 0.2 } : { [at(9)]: 1 }
  }
  const { ids } = await search({ next }, 3)
  expect([...pasts]).toEqual([tokens.start])
  expect(ids[0]).toEqual([at(0), 1, 1, 1, at(9)])
  for (const one of ids) expect(one[0]).toBe(at(0))
})

test('replaces a finished text by an open one', async () => {
  const likely: Record<string, Likely> = {
    '': { 1: 0.98, 2: 0.02 },
    '1': { [tokens.end]: 0.5, 3: 0.3, 4: 0.2 },
    '2': { 5: 1 },
  }
  const next = (sequence: readonly number[]) => likely[writtenAfter(sequence).join()] ?? { [tokens.end]: 1 }
  const { steps } = await search({ next }, 2)
  expect(steps.map((step) => step.map(({ tokens }) => tokens[0]))).toEqual([
    [1, 2],
    [3, 4],
  ])
})

test('continues until as many texts have ended as there are beams, and returns them all', async () => {
  const text = (ids: number[]) => [at(0), ...ids]
  const next = (sequence: readonly number[]): Likely => {
    const written = writtenAfter(sequence)
    if (written.length === 0) return { [at(0)]: 1 }
    if (written.length === 1) return { 1: 0.5, 2: 0.5 }
    if (written[1] === 1) return { [at(9.5)]: 1 }
    return written.length < 5 ? { [written.length + 10]: 1 } : { [at(9.5)]: 1 }
  }
  const { ids } = await search({ next }, 2)
  expect(ids).toContainEqual([...text([1]), at(9.5)])
  expect(ids).toContainEqual([...text([2, 12, 13, 14]), at(9.5)])
})

test('drops a failed text', async () => {
  const next = (sequence: readonly number[]): Likely => {
    const written = writtenAfter(sequence)
    if (written.length === 0) return { [at(0)]: 1 }
    // an end without a timestamp fails if more audio follows
    if (written.length < 4) return { [tokens.end]: 0.7, 6: 0.3 }
    return { [written.length === 4 ? at(20) : tokens.end]: 1 }
  }
  const { ids, candidates } = await search({ next }, 2, { restFrames: 4000 })
  expect(candidates.map(({ sequence }) => sequence.state)).not.toContain('failed')
  expect(ids[0]).toEqual([at(0), 6, 6, 6, at(20), tokens.end])
})
