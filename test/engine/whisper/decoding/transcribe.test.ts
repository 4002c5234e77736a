// A whole call: pieces, segments, abort, language, prompt, trimmed windows. The decoder is scripted.

import { describe, expect, test } from 'bun:test'
import type { Segment } from '../../../../src/engine/engine.ts'
import type { DecodedSegment } from '../../../../src/engine/whisper/decoding/decode-segment.ts'
import { type SamplesRequest, transcribeSamples } from '../../../../src/engine/whisper/decoding/transcribe.ts'
import {
  createScripted,
  type Heard,
  type Likely,
  request,
  type Script,
  writes,
  writtenAfter,
} from './scripted-decoder.ts'

const { at, tokens } = createScripted({ next: () => ({}) })
const FULL = 1500

const scripted = (text: number[], more: Partial<Script> = {}) =>
  createScripted({ next: writes(text), ...more })

const transcribe = async (
  script: ReturnType<typeof createScripted>,
  asked: Partial<SamplesRequest> & { seconds: number },
) => {
  const pieces: DecodedSegment[] = []
  const { seconds, ...more } = asked
  const onPiece = (piece: DecodedSegment) => pieces.push(piece)
  const transcript = await transcribeSamples(script.windowModel, { ...request(seconds), onPiece, ...more })
  return { ...transcript, pieces, texts: transcript.segments.map(({ text }) => text) }
}

/** Writes depending on the position in the audio. */
const byPosition =
  (textAt: (fromSeconds: number) => number[]) =>
  (sequence: readonly number[], { fromSample }: Heard): Likely =>
    writes(textAt(fromSample / 16_000))(sequence)

describe('segments', () => {
  test('have times, text, words and probabilities', async () => {
    const script = scripted([at(0), 1, 2, at(3)], { looksAt: (place) => place * 40 })
    expect(await transcribeSamples(script.windowModel, request(3.2))).toEqual({
      language: 'en',
      languageProbability: null,
      segments: [
        {
          startMs: 0,
          endMs: 3000,
          text: 'w1 w2',
          avgLogprob: expect.closeTo(0, 2),
          noSpeechProb: expect.closeTo(0, 5),
          words: [
            // each begins where the attention to the token before it ends
            { word: 'w1', startMs: 60, endMs: 860, probability: expect.closeTo(1, 2) },
            { word: 'w2', startMs: 860, endMs: 1660, probability: expect.closeTo(1, 2) },
          ],
        },
      ],
    })
  })

  test('are split at pairs of timestamps, and exclude the pause between the two', async () => {
    const text = [at(0.4), 1, at(2), at(2.6), 2, at(4), at(4), 3, at(6)]
    const { segments } = await transcribe(scripted(text), { seconds: 6.2 })
    expect(segments.map(({ text, startMs, endMs }) => [text, startMs, endMs])).toEqual([
      ['w1', 400, 2000],
      ['w2', 2600, 4000],
      ['w3', 4000, 6000],
    ])
  })

  test('are emitted one by one, and the result contains all of them', async () => {
    const emitted: Segment[] = []
    const text = [at(0), 1, at(2), at(2), 2, at(4)]
    const { segments } = await transcribe(scripted(text), {
      seconds: 4.2,
      onSegment: (segment) => emitted.push(segment),
    })
    expect(emitted).toEqual(segments)
    expect(emitted).toHaveLength(2)
  })

  test('never end after the audio', async () => {
    const { segments } = await transcribe(scripted([at(0), 1, at(9)]), { seconds: 6.5 })
    expect(segments[0]).toMatchObject({ startMs: 0, endMs: 6500 })
    expect(segments[0]!.words[0]!.endMs).toBeLessThanOrEqual(6500)
  })

  test('without a timestamp span the whole audio', async () => {
    const { segments } = await transcribe(scripted([1, 2]), { seconds: 4 })
    expect(segments).toMatchObject([{ text: 'w1 w2', startMs: 0, endMs: 4000 }])
  })

  test('are empty without text', async () => {
    expect((await transcribe(scripted([at(0)]), { seconds: 4 })).segments).toEqual([])
  })

  test('are empty for an improbable text with a high no-speech probability', async () => {
    const unsure: Likely = { 1: 0.26, 2: 0.25, 3: 0.25, 4: 0.24 }
    const next = (sequence: readonly number[]): Likely =>
      sequence.at(-1) === tokens.start ? { ...unsure, [tokens.noSpeech]: 30 } : { ...unsure, [at(27)]: 0.3 }
    const { segments, pieces } = await transcribe(createScripted({ next }), { seconds: 28, trim: false })
    expect(segments).toEqual([])
    expect(pieces).toMatchObject([{ silent: true, temperature: 0 }])
  })

  test('of a beam search have words', async () => {
    const script = scripted([at(0), 1, 2, at(3)], { looksAt: (place) => place * 40 })
    const { segments } = await transcribe(script, { seconds: 3.2, strategy: { strategy: 'beam', beams: 2 } })
    expect(segments[0]!.words.map(({ word, startMs }) => [word, startMs])).toEqual([
      ['w1', 60],
      ['w2', 860],
    ])
  })

  test('of a model without timestamps are returned', async () => {
    const script = createScripted({
      textLayers: 2,
      next: (sequence) => (sequence.includes(tokens.noTimestamps) ? writes([1, 2])(sequence) : {}),
    })
    expect((await transcribe(script, { seconds: 4, trim: false })).segments).toMatchObject([
      { text: 'w1 w2', endMs: 4000 },
    ])
  })
})

describe('pieces', () => {
  test('begin where the previous one ended, so that nothing is lost or duplicated', async () => {
    const next = byPosition((from) =>
      from === 0 ? [at(0), 1, at(9), at(9), 2, at(20), at(20)] : [at(0), 3, at(8)],
    )
    const { segments, pieces } = await transcribe(createScripted({ next }), { seconds: 28.4 })
    expect(segments.map(({ text, startMs, endMs }) => [text, startMs, endMs])).toEqual([
      ['w1', 0, 9000],
      ['w2', 9000, 20_000],
      ['w3', 20_000, 28_000],
    ])
    expect(pieces.map(({ fromFrame }) => fromFrame)).toEqual([0, 2000])
  })

  describe('after words that are spoken after the end timestamp of their piece', () => {
    /** w2 begins at 2.9 s, w3 and w4 are spoken from 3.3 s to 4.5 s, though the timestamp ends all at 3 s. */
    const first = { writes: [at(0), 1, 2, 3, 4, at(3), at(3)], looksAt: [0, 140, 160, 190, 220] }
    const TOLD = first.writes.length + 1
    const listen = async (next: { writes: number[]; looksAt: number[] }) => {
      const emitted: Segment[] = []
      const script = createScripted({
        next: byPosition((from) => (from === 0 ? first.writes : next.writes)),
        looksAt: (place, { fromSample }) =>
          (fromSample === 0 ? first.looksAt[place] : next.looksAt[place - TOLD]) ?? 400,
      })
      const onSegment = (segment: Segment) => emitted.push(segment)
      const { segments } = await transcribe(script, { seconds: 12, onSegment })
      expect(emitted).toEqual(segments)
      return segments
    }
    const inBrief = (segments: Segment[]) =>
      segments.map(({ text, startMs, endMs }) => [text, startMs, endMs])

    test('contain these words once, until the next word', async () => {
      const again = { writes: [at(0), 9, 3, 4, 5, at(8)], looksAt: [0, 10, 40, 70, 100] }
      const segments = await listen(again)
      expect(inBrief(segments)).toEqual([
        ['w1 w2 w3 w4', 0, 4460],
        ['w5', 4460, 11_000],
      ])
      expect(segments[0]!.words.slice(-2)).toMatchObject([
        { word: 'w3', startMs: 3260, endMs: 3860 },
        { word: 'w4', startMs: 3860, endMs: 4460 },
      ])
    })

    test('give no segment for a piece with these words only', async () => {
      const again = { writes: [at(0), 3, 4, at(1.4), at(8)], looksAt: [10, 40, 70] }
      expect(inBrief(await listen(again))).toEqual([['w1 w2 w3 w4', 0, 4400]])
    })

    test('keep the same words at another time, which were spoken twice', async () => {
      const repeated = { writes: [at(0), 3, 4, 5, at(8)], looksAt: [60, 90, 120, 150] }
      expect(inBrief(await listen(repeated))).toEqual([
        ['w1 w2 w3 w4', 0, 3000],
        ['w3 w4 w5', 3000, 11_000],
      ])
    })

    test('keep other words', async () => {
      const others = { writes: [at(0), 5, 6, 7, at(8)], looksAt: [10, 40, 70, 100] }
      expect(inBrief(await listen(others))).toEqual([
        ['w1 w2 w3 w4', 0, 3000],
        ['w5 w6 w7', 3000, 11_000],
      ])
    })
  })

  test('continue even after a lone timestamp, which claims that no speech follows', async () => {
    const next = byPosition((from) => (from === 0 ? [at(0), 1, at(11)] : [at(0), 2, at(4)]))
    expect((await transcribe(createScripted({ next }), { seconds: 15.2 })).texts).toEqual(['w1', 'w2'])
  })

  test('leave text without an end timestamp to the next one', async () => {
    const next = byPosition((from) => (from === 0 ? [at(0), 1, at(20), at(20), 2] : [at(0), 2, 3, at(8)]))
    expect((await transcribe(createScripted({ next }), { seconds: 28.4 })).texts).toEqual(['w1', 'w2 w3'])
  })

  test('get the previous text after the prompt', async () => {
    const next = byPosition((from) => (from === 0 ? [at(0), 1, at(10), at(10)] : [at(0), 2, at(18)]))
    const script = createScripted({ next })
    await transcribe(script, { seconds: 28.4, prompt: 'w7' })
    const prompts = script.advanced.flat().filter((step) => step.tokens.includes(tokens.start))
    const prompt = script.model.tokenizer.encode(' w7')
    expect(prompts.map((step) => step.tokens)).toEqual([
      [tokens.previous, ...prompt, tokens.start],
      [tokens.previous, ...prompt, at(0), 1, at(10), at(10), tokens.start],
    ])
  })

  test('get the prompt if the whole audio is 5 s or less', async () => {
    const script = scripted([at(0), 1, at(3)])
    await transcribe(script, { seconds: 3.2, prompt: 'w7' })
    const prompt = script.model.tokenizer.encode(' w7')
    expect(script.advanced[0]![0]!.tokens).toEqual([tokens.previous, ...prompt, tokens.start])
  })

  test('of silence skip the whole window', async () => {
    const unsure: Likely = Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8].map((id) => [id, 0.1]))
    const next = (sequence: readonly number[]): Likely => {
      if (sequence.at(-1) === tokens.start) return { ...unsure, [tokens.noSpeech]: 9 }
      return { ...unsure, [writtenAfter(sequence).length < 6 ? at(16) : tokens.end]: 0.2 }
    }
    const { pieces } = await transcribe(createScripted({ next }), { seconds: 28, trim: false })
    expect(pieces.map(({ silent }) => silent)).toEqual([true])
  })

  test('get no previous text for a rest of 5 s or less', async () => {
    const next = byPosition((from) => (from === 0 ? [at(0), 1, at(24), at(24)] : [at(0), 2, at(4)]))
    const script = createScripted({ next })
    expect((await transcribe(script, { seconds: 28.4, prompt: 'w7' })).texts).toEqual(['w1', 'w2'])
    expect(script.advanced.flat().filter((step) => step.tokens.includes(tokens.previous))).toHaveLength(1)
  })

  test('end when less than a second remains', async () => {
    const { pieces } = await transcribe(scripted([at(0), 1, at(24)]), { seconds: 24.9 })
    expect(pieces).toHaveLength(1)
  })

  test('always advance, even if the model does not', async () => {
    const { pieces } = await transcribe(scripted([at(0), 1, at(0.02), at(0.02)]), { seconds: 3, trim: false })
    expect(pieces.length).toBeGreaterThan(1)
    expect(pieces.length).toBeLessThanOrEqual(30)
  })

  test('of less than a second are decoded', async () => {
    expect((await transcribe(scripted([at(0), 1, at(0.4)]), { seconds: 0.4 })).texts).toEqual(['w1'])
  })

  test('are empty without samples', async () => {
    const script = scripted([at(0), 1, at(2)])
    expect(await transcribe(script, { seconds: 0 })).toMatchObject({ language: 'en', segments: [] })
    expect(script.heard).toEqual([])
  })
})

describe('a blank prompt', () => {
  test.each(['', '  \n'])('such as %p is ignored', async (prompt) => {
    const script = scripted([at(0), 1, at(3)])
    await transcribe(script, { seconds: 3.2, prompt })
    expect(script.advanced[0]![0]!.tokens).toEqual([tokens.start])
  })
})

describe('an abort', () => {
  test('ends the call at the next token, with its reason', async () => {
    const controller = new AbortController()
    let asked = 0
    const next = (sequence: readonly number[]): Likely => {
      asked += 1
      if (asked === 5) controller.abort(new Error('enough'))
      return { [writtenAfter(sequence).length + 1]: 0.9 }
    }
    const aborted = transcribe(createScripted({ next }), { seconds: 20, signal: controller.signal })
    await expect(aborted).rejects.toThrow('enough')
    await aborted.catch(() => {})
    expect(asked).toBe(5)
  })

  test('before the call prevents any encoding', async () => {
    const script = scripted([at(0), 1, at(2)])
    await expect(
      transcribe(script, { seconds: 5, signal: AbortSignal.abort(new Error('no')) }),
    ).rejects.toThrow('no')
    expect(script.heard).toEqual([])
  })

  test('takes effect when its message arrives while the decoder works', async () => {
    const controller = new AbortController()
    let asked = 0
    const next = (sequence: readonly number[]): Likely => {
      asked += 1
      if (asked === 1) setTimeout(() => controller.abort(new Error('by timer')), 1)
      Bun.sleepSync(2)
      return { [1 + (writtenAfter(sequence).length % 200)]: 0.9 }
    }
    const aborted = transcribe(createScripted({ next }), {
      seconds: 20,
      trim: false,
      signal: controller.signal,
    })
    await expect(aborted).rejects.toThrow('by timer')
    await aborted.catch(() => {})
    expect(asked).toBeLessThan(200)
  })
})

describe('the language', () => {
  const VOCABULARY = 51_865
  const multilingual = createScripted({ vocabulary: VOCABULARY, next: () => ({}) })
  const { start, firstLanguage, transcribe: transcribeTask, translate } = multilingual.tokens
  const text = [multilingual.at(0), 1, multilingual.at(3)]

  const detecting = (languages: Likely, more: Partial<Script> = {}) =>
    createScripted({
      vocabulary: VOCABULARY,
      next: (sequence) =>
        sequence.length === 1 && sequence[0] === start ? languages : writes(text, VOCABULARY)(sequence),
      ...more,
    })

  test('is detected, with its probability among languages alone', async () => {
    const script = detecting({ [firstLanguage + 2]: 0.3, [firstLanguage + 6]: 0.1, 5: 0.6 })
    const { language, languageProbability, texts } = await transcribe(script, {
      seconds: 3.2,
      language: null,
    })
    expect({ language, texts }).toEqual({ language: 'de', texts: ['w1'] })
    expect(languageProbability).toBeCloseTo(0.75, 5)
    expect(script.advanced.flat().map((step) => step.tokens)).toContainEqual([
      firstLanguage + 2,
      transcribeTask,
    ])
  })

  test('is detected among the candidates if there are any', async () => {
    const script = detecting({ [firstLanguage + 2]: 0.3, [firstLanguage + 6]: 0.1, 5: 0.6 })
    const heard = await transcribe(script, { seconds: 3.2, language: null, languages: ['en', 'fr'] })
    expect(heard.language).toBe('fr')
    expect(heard.languageProbability).toBeGreaterThan(0.75)
  })

  test('is detected in the window that is decoded, which is encoded once', async () => {
    const script = detecting({ [firstLanguage]: 0.9 })
    await transcribe(script, { seconds: 3.2, language: null })
    expect(script.heard).toEqual([{ fromSample: 0, frames: 512 }])
  })

  test('is detected in the full window if a trimmed one is unsure', async () => {
    const script = detecting({ [firstLanguage]: 0.4, [firstLanguage + 1]: 0.35, [firstLanguage + 2]: 0.25 })
    await transcribe(script, { seconds: 3.2, language: null })
    expect(script.heard.map(({ frames }) => frames).slice(0, 2)).toEqual([512, FULL])
  })

  test('is not detected if requested, and has no probability', async () => {
    const script = detecting({})
    const heard = await transcribe(script, { seconds: 3.2, language: 'fr', task: 'translate' })
    expect(heard).toMatchObject({ language: 'fr', languageProbability: null, texts: ['w1'] })
    expect(script.advanced.flat().map((step) => step.tokens)).toContainEqual([firstLanguage + 6, translate])
  })

  test('is detected if the model does not know the requested one', async () => {
    const { language } = await transcribe(detecting({ [firstLanguage + 1]: 0.9 }), {
      seconds: 3.2,
      language: 'yue',
    })
    expect(language).toBe('zh')
  })

  test('of an English-only model is English', async () => {
    const script = scripted([at(0), 1, at(3)])
    const heard = await transcribe(script, { seconds: 3.2, language: 'de' })
    expect(heard).toMatchObject({ language: 'en', languageProbability: null })
    expect(script.advanced[0]![0]!.tokens).toEqual([tokens.start])
  })
})

describe('a trimmed window', () => {
  const good = [at(0), 1, 2, at(4)]

  test('is the only encoding of a short clip', async () => {
    const script = scripted(good)
    const { pieces } = await transcribe(script, { seconds: 4.2 })
    expect(script.heard).toEqual([{ fromSample: 0, frames: 512 }])
    expect(pieces).toMatchObject([{ windowFrames: 512, trimFault: null }])
  })

  test('is not used if disabled, nor for long clips or large models', async () => {
    const off = scripted(good)
    await transcribe(off, { seconds: 4.2, trim: false })
    const long = scripted([at(0), 1, at(21)])
    await transcribe(long, { seconds: 21 })
    const large = scripted(good, { audioLayers: 32, audioWidth: 1280 })
    await transcribe(large, { seconds: 4.2 })
    expect([off, long, large].map(({ heard }) => heard.map(({ frames }) => frames))).toEqual([
      [FULL],
      [FULL],
      [FULL],
    ])
  })

  test('has no timestamps after its end', async () => {
    const next = (sequence: readonly number[], { frames }: Heard): Likely => {
      const written = writtenAfter(sequence).length
      if (written === 2) return { [at(12)]: 0.8, [at(4)]: 0.2 }
      return { [[at(0), 1][written] ?? tokens.end]: 0.9 + 0 * frames }
    }
    const { segments } = await transcribe(createScripted({ next }), { seconds: 4.2 })
    expect(segments).toMatchObject([{ endMs: 4000 }])
  })

  test.each<[string, number[]]>([
    ['repetition', [at(0), ...Array.from({ length: 8 }, () => 7), at(4)]],
    ['too much text', [at(0), ...Array.from({ length: 60 }, (_, i) => i + 1), at(4)]],
    ['no time at the end', [at(0), 1, 2]],
  ])('is rejected for %s in favour of the full window', async (fault, bad) => {
    const next = (sequence: readonly number[], { frames }: Heard) =>
      writes(frames === FULL ? good : bad)(sequence)
    const script = createScripted({ next })
    const { texts, pieces } = await transcribe(script, { seconds: 4.2 })
    expect(texts).toEqual(['w1 w2'])
    expect(script.heard.map(({ frames }) => frames)).toEqual([512, FULL])
    expect(pieces).toMatchObject([{ windowFrames: FULL, trimFault: fault }])
  })

  test('is replaced by the full window before another temperature', async () => {
    const next = (sequence: readonly number[], { frames }: Heard): Likely => {
      const [id] = Object.keys(writes(good)(sequence))
      return frames === FULL ? { [id!]: 0.9 } : { [id!]: 0.22, 151: 0.2, 152: 0.2, 153: 0.19, 154: 0.19 }
    }
    const { pieces } = await transcribe(createScripted({ next }), { seconds: 4.2 })
    expect(pieces).toMatchObject([{ windowFrames: FULL, temperature: 0, trimFault: 'improbable' }])
  })
})

test('gives the same text for the same samples, even with sampling', async () => {
  const next = (sequence: readonly number[]): Likely =>
    writtenAfter(sequence).length < 12
      ? { 1: 0.26, 2: 0.25, 3: 0.25, 4: 0.24 }
      : { [at(9)]: 0.5, [tokens.end]: 0.5 }
  const runs = await Promise.all([1, 2].map(() => transcribe(createScripted({ next }), { seconds: 10 })))
  expect(runs[0]!.pieces[0]!.temperature).toBe(1)
  expect(runs[1]!.segments).toEqual(runs[0]!.segments)
})
