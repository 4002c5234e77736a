// Temperatures, sampling, and which result is kept. The decoder is scripted.

import { describe, expect, test } from 'bun:test'
import {
  DEFAULT_STRATEGY,
  decodeWithFallback,
  type Strategy,
} from '../../../../src/engine/whisper/decoding/fallback.ts'
import { decodingPrompt } from '../../../../src/engine/whisper/decoding/prompt.ts'
import { createYield } from '../../../../src/engine/whisper/yield.ts'
import { createScripted, type Likely, type Script, writtenAfter } from './scripted-decoder.ts'

const { at, tokens } = createScripted({ next: () => ({}) })

const PREVIOUS = [11, 12]

const decode = async (
  script: Script,
  strategy: Partial<Strategy> = {},
  { restFrames = 1000, maxTokens = 60 } = {},
) => {
  const scripted = createScripted(script)
  await scripted.windowModel.encode(0, 1500)
  const piece = { tokens, restFrames, windowFrames: 3000, timestamps: true, maxTokens }
  const decoded = await decodeWithFallback(
    { decoder: scripted.decoder, piece, yieldNow: createYield(new AbortController().signal) },
    {
      strategy: { ...DEFAULT_STRATEGY, ...strategy },
      promptWith: (what) =>
        decodingPrompt({
          tokens,
          previous: what === 'previous' ? PREVIOUS : [],
          language: null,
          task: 'transcribe',
          timestamps: true,
          textTokens: 448,
        }),
    },
  )
  return { ...scripted, decoded, ids: decoded.sequence.tokens.map(({ id }) => id) }
}

/** Writes the given text, each token with the given probability. */
const saying =
  (text: number[], probability: number) =>
  (sequence: readonly number[]): Likely => {
    const id = text[writtenAfter(sequence).length] ?? tokens.end
    // the rest goes to a less likely token, which greedy never takes
    return {
      [id]: probability,
      ...Object.fromEntries([150, 151, 152, 153].map((other) => [other, (1 - probability) / 4])),
    }
  }

const sure = [at(0), 1, 2, at(5)]

test('accepts a probable text at temperature 0', async () => {
  const { decoded, ids, advanced } = await decode({ next: saying(sure, 0.9) })
  expect(decoded).toMatchObject({ temperature: 0, accepted: true, silent: false, sequenceId: 0 })
  expect(ids).toEqual([...sure, tokens.end])
  expect(advanced.every((steps) => steps.length === 1)).toBe(true)
})

describe('an improbable text', () => {
  const unsure = saying(sure, 0.22)

  test('is decoded at all temperatures in order, from 0.2 on with five samples', async () => {
    const { decoded, advanced } = await decode({ next: unsure })
    expect(decoded).toMatchObject({ temperature: 1, accepted: false })
    const prompts = advanced.filter(([step]) => step!.tokens.includes(tokens.start))
    expect(prompts).toHaveLength(DEFAULT_STRATEGY.temperatures.length)
    expect(Math.max(...advanced.map((steps) => steps.length))).toBe(5)
  })

  test('gets the previous text only below 0.5', async () => {
    const { advanced } = await decode({ next: unsure })
    const prompts = advanced.flat().filter((step) => step.tokens.includes(tokens.start))
    const [withPrevious, without] = [[tokens.previous, ...PREVIOUS, tokens.start], [tokens.start]]
    expect(prompts.map((step) => [...step.tokens])).toEqual([
      withPrevious,
      withPrevious,
      withPrevious,
      without,
      without,
      without,
    ])
  })

  test('counts as silence at once if the no-speech probability is high', async () => {
    const next = (sequence: readonly number[]): Likely =>
      sequence.at(-1) === tokens.start ? { ...unsure(sequence), [tokens.noSpeech]: 9 } : unsure(sequence)
    const { decoded } = await decode({ next })
    expect(decoded).toMatchObject({ temperature: 0, accepted: true, silent: true })
    expect(decoded.noSpeechProbability).toBeCloseTo(0.9, 5)
  })
})

test('honours the requested no-speech threshold', async () => {
  const unsure = saying(sure, 0.22)
  const next = (sequence: readonly number[]): Likely =>
    sequence.at(-1) === tokens.start ? { ...unsure(sequence), [tokens.noSpeech]: 1 } : unsure(sequence)
  const hear = async (noSpeechThreshold: number) => (await decode({ next }, { noSpeechThreshold })).decoded
  // the no-speech probability is 0.5
  expect(await hear(0.4)).toMatchObject({ temperature: 0, accepted: true, silent: true })
  expect(await hear(0.6)).toMatchObject({ temperature: 1, accepted: false, silent: false })
})

test('decodes a repetition loop again', async () => {
  const circle = [at(0), ...Array.from({ length: 40 }, (_, i) => 5 + (i % 2)), at(5)]
  const { decoded } = await decode({ next: saying(circle, 0.95) }, { temperatures: [0, 0.2] })
  expect(decoded).toMatchObject({ temperature: 0.2, accepted: false })
})

test('keeps the sample with the best mean', async () => {
  // after the first timestamp each drawn token leads to its own text; only that of 3 is probable
  const next = (sequence: readonly number[]): Likely => {
    const written = writtenAfter(sequence)
    if (written.length === 0) return { [at(0)]: 1 }
    if (written.length === 1) return { 3: 0.34, 4: 0.33, 5: 0.33 }
    const probability = written[1] === 3 ? 0.99 : 0.2
    if (written.length < 6) return { [20 + written.length]: probability, 90: 1 - probability }
    return { [written.length === 6 ? at(5) : tokens.end]: 1 }
  }
  const { decoded, ids } = await decode({ next }, { temperatures: [0.2] })
  expect(decoded.accepted).toBe(true)
  expect(ids.slice(0, 3)).toEqual([at(0), 3, 22])
})

/** After the first timestamp token 3 or 4 is drawn, and each leads to its own text. */
const forking =
  (next: (written: number[]) => Likely) =>
  (sequence: readonly number[]): Likely => {
    const written = writtenAfter(sequence)
    if (written.length === 0) return { [at(0)]: 1 }
    return written.length === 1 ? { 3: 0.5, 4: 0.5 } : next(written)
  }

test('does not keep a failed sample if another succeeds', async () => {
  // the text that begins with 3 is more probable, but has no end
  const next = forking((written) => {
    if (written[1] === 3) return { [100 + (written.length % 100)]: 1 }
    return written.length === 2 ? { [at(5)]: 0.8, 8: 0.2 } : { [tokens.end]: 0.9, 9: 0.1 }
  })
  const { ids } = await decode({ next }, { temperatures: [1] })
  expect(ids[1]).toBe(4)
})

test('does not keep a repetition loop if another sample has none, however probable it is', async () => {
  const next = forking((written) => {
    if (written[1] === 4) return written.length === 2 ? { [at(9)]: 0.6, 8: 0.4 } : { [tokens.end]: 1 }
    return written.length < 40 ? { [5 + (written.length % 2)]: 1 } : { [at(9)]: 1 }
  })
  const { ids } = await decode({ next }, { temperatures: [1] })
  expect(ids[1]).toBe(4)
})

test('does not prefer a short text to a long one of the same mean probability', async () => {
  const next = forking((written) => {
    if (written[1] === 4) return { [at(9)]: 0.6, 8: 0.4 }
    return written.length < 12 ? { [20 + written.length]: 0.9, 8: 0.1 } : { [at(9)]: 1 }
  })
  const { ids } = await decode({ next }, { temperatures: [1] })
  expect(ids[1]).toBe(3)
})

test('draws the same tokens for the same input', async () => {
  const script = { next: saying(sure, 0.3) }
  const [one, other] = [await decode(script), await decode(script)]
  expect(other.ids).toEqual(one.ids)
  expect(other.advanced).toEqual(one.advanced)
})

test('draws fewer samples with fewer sequences', async () => {
  const { advanced } = await decode({ next: saying(sure, 0.3), maxSequences: 2 })
  expect(Math.max(...advanced.map((steps) => steps.length))).toBe(2)
})

describe('beams', () => {
  /** Greedy takes 3, whose continuations are all unlikely; 4 is less likely at first and probable afterwards. */
  const garden = (sequence: readonly number[]): Likely => {
    const written = writtenAfter(sequence)
    if (written.length === 0) return { [at(0)]: 1 }
    if (written.length === 1) return { 3: 0.55, 4: 0.45 }
    const sureOf = written[1] === 4 ? 0.98 : 0.4
    if (written.length < 4)
      return { [20 + written.length]: sureOf, 91: (1 - sureOf) / 2, 92: (1 - sureOf) / 2 }
    return { [written.length === 4 ? at(5) : tokens.end]: 1 }
  }

  test('find a likelier text than greedy', async () => {
    const greedy = await decode({ next: garden }, { temperatures: [0] })
    const beams = await decode({ next: garden }, { strategy: 'beam', beams: 3 })
    expect(greedy.ids).toEqual([at(0), 3, 22, 23, at(5), tokens.end])
    expect(beams.ids).toEqual([at(0), 4, 22, 23, at(5), tokens.end])
    expect(beams.decoded).toMatchObject({ temperature: 0, accepted: true, sequenceId: null })
  })

  test('never exceed their number', async () => {
    const { advanced } = await decode({ next: garden }, { strategy: 'beam', beams: 3 })
    expect(Math.max(...advanced.map((steps) => steps.length))).toBe(3)
    for (const steps of advanced)
      expect(new Set(steps.map(({ sequenceId }) => sequenceId)).size).toBe(steps.length)
  })

  test('continue from their own prefix, under any sequence id', async () => {
    const seen: string[] = []
    const next = (sequence: readonly number[]): Likely => {
      const written = writtenAfter(sequence)
      seen.push(written.join())
      if (written.length === 0) return { [at(0)]: 1 }
      if (written.length < 5) return { 1: 0.4, 2: 0.35, 3: 0.25 }
      return { [written.length === 5 ? at(5) : tokens.end]: 1 }
    }
    const { ids } = await decode({ next }, { strategy: 'beam', beams: 4 }, { restFrames: 3000 })
    const before = (past: string) => past.replace(/,?\d+$/, '')
    expect(seen.filter((past) => !seen.includes(before(past)))).toEqual([])
    expect(new Set(seen).size).toBe(seen.length)
    expect(ids).toEqual([at(0), 1, 1, 1, 1, at(5), tokens.end])
  })

  test('give the greedy text with one beam', async () => {
    const { ids } = await decode({ next: garden }, { strategy: 'beam', beams: 1 })
    expect(ids).toEqual([at(0), 3, 22, 23, at(5), tokens.end])
  })

  test('fall back to sampling if none is acceptable', async () => {
    const { decoded } = await decode(
      { next: saying(sure, 0.2) },
      { strategy: 'beam', temperatures: [0, 0.4] },
    )
    expect(decoded.temperature).toBe(0.4)
  })

  test('return no text and no error if all fail', async () => {
    const { decoded } = await decode(
      { next: () => ({ [tokens.end]: 0.9, 5: 0.1 }) },
      { strategy: 'beam', temperatures: [0] },
      { restFrames: 5000, maxTokens: 12 },
    )
    expect(decoded.accepted).toBe(false)
  })

  describe('where greedy is unsure', () => {
    const strategy = 'beam where unsure'

    test('find a text that greedy missed', async () => {
      const { ids, decoded } = await decode({ next: garden }, { strategy })
      expect(ids).toEqual([at(0), 4, 22, 23, at(5), tokens.end])
      expect(decoded).toMatchObject({ temperature: 0, accepted: true, sequenceId: null })
    })

    test('are not searched if greedy is sure', async () => {
      const { decoded, advanced } = await decode({ next: saying(sure, 0.9) }, { strategy })
      expect(decoded).toMatchObject({ accepted: true, sequenceId: 0 })
      expect(advanced.every((steps) => steps.length === 1)).toBe(true)
    })

    test('are not searched in silence', async () => {
      const unsure = saying(sure, 0.22)
      const next = (sequence: readonly number[]): Likely =>
        sequence.at(-1) === tokens.start ? { ...unsure(sequence), [tokens.noSpeech]: 9 } : unsure(sequence)
      const { decoded, advanced } = await decode({ next }, { strategy })
      expect(decoded.silent).toBe(true)
      expect(advanced.every((steps) => steps.length === 1)).toBe(true)
    })

    test('keep the greedy text if only that reaches the end of the samples', async () => {
      const next = (sequence: readonly number[]): Likely => {
        const written = writtenAfter(sequence)
        const likely = garden(sequence)
        return written[1] === 3 && at(5) in likely ? { [at(9.5)]: 1 } : likely
      }
      const { ids, decoded } = await decode({ next }, { strategy })
      expect(ids).toEqual([at(0), 3, 22, 23, at(9.5)])
      expect(decoded).toMatchObject({ temperature: 0, sequenceId: null })
    })

    test('keep the greedy text if all beams fail', async () => {
      // the less likely first token has two continuations without an end, both more probable than the greedy text
      const next = (sequence: readonly number[]): Likely => {
        const written = writtenAfter(sequence)
        if (written.length === 0) return { [at(0)]: 1 }
        if (written.length === 1) return { 3: 0.55, 4: 0.45 }
        if (written[1] === 4) return written.length === 2 ? { 7: 0.5, 8: 0.5 } : { [100 + written.length]: 1 }
        if (written.length === 2) return { 22: 0.3, 91: 0.25, 92: 0.25, 93: 0.2 }
        return { [written.length === 3 ? at(5) : tokens.end]: 1 }
      }
      const { ids, decoded } = await decode({ next }, { strategy, beams: 2, temperatures: [0] })
      expect(ids).toEqual([at(0), 3, 22, at(5), tokens.end])
      expect(decoded.accepted).toBe(true)
    })
  })
})
