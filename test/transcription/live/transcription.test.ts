// Streams with a scripted engine and detector. transcription-speech.test.ts uses the real ones.

import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { EngineFailure, WindowTranscript } from '../../../src/engine/engine.ts'
import { align } from '../../../src/lib/alignment.ts'
import { fail, type Result, succeed } from '../../../src/lib/result.ts'
import { describeAtLength, testAtLength } from '../../support/at-length.ts'
import { signalsAlive } from '../../support/signals.ts'
import { type Phrase, scriptedStream, sentence, settled } from '../scripted-stream.ts'

// Test doubles respond at once, but the machine may be busy.
setDefaultTimeout(180_000)

const LONGEST = 28 * 16_000

/** Consecutive phrases of distinct words, with a pause after each. */
function speech(seconds: number, { wordsEach, pauseSeconds }: { wordsEach: number; pauseSeconds: number }) {
  const phrases: Phrase[] = []
  let at = 1
  let word = 0
  while (at < seconds) {
    const text = Array.from({ length: wordsEach }, () => `word${word++}`).join(' ')
    phrases.push(sentence(text, at))
    at = phrases.at(-1)!.toSecond + pauseSeconds
  }
  return { phrases, seconds: at + 1, text: phrases.map(({ text }) => text).join(' ') }
}

const wordsOf = (texts: readonly string[]) => texts.join('').split(/\s+/).filter(Boolean)

/** Whether `some` is a subsequence of `others`. */
const isInOrderAmong = (some: readonly string[], others: readonly string[]) =>
  align(some, others).ofInput.every((partner) => partner >= 0)

test('emits words while the user speaks and the whole utterance at the end', async () => {
  const text = 'and so my fellow Americans ask not what your country can do for you.'
  const { feedUntil, finish, confirmed, partials, finals, requests } = scriptedStream([sentence(text, 0.5)])
  await feedUntil(3.5)
  expect(confirmed.join('')).toMatch(/^and so my fellow/)
  expect(partials.length).toBeGreaterThan(1)
  expect(finals).toEqual([])
  await feedUntil(7)
  await finish()
  expect(finals).toEqual([text])
  expect(text).toStartWith(confirmed.join(''))
  expect(requests.length).toBeLessThan(12)
})

test('confirms a word once two previews agree on it, but never the last word during speech', async () => {
  const versions = ['he was an', 'he was not an old', 'he was not an', 'he was not an ill-disposed man']
  const { feedUntil, confirmed, partials, requests } = scriptedStream(
    [sentence('he was not an ill disposed young man at all', 0)],
    {
      recognise: (_, { samples }, call) => [
        { text: versions[call - 1] ?? 'nothing', fromSecond: 0, toSecond: samples.length / 16_000 },
      ],
    },
  )
  const after = async (second: number) => {
    await feedUntil(second)
    return [requests.length, confirmed.join(''), partials.at(-1)]
  }
  expect(await after(1)).toEqual([1, '', 'he was an'])
  expect(await after(2)).toEqual([2, 'he was', 'not an old'])
  expect(await after(2.5)).toEqual([3, 'he was not', 'an'])
  expect(await after(3.5)).toEqual([4, 'he was not an', 'ill-disposed man'])
})

test('stops detecting the language once it is settled', async () => {
  const { phrases, seconds } = speech(25, { wordsEach: 40, pauseSeconds: 0.3 })
  const { feedUntil, requests } = scriptedStream(phrases)
  await feedUntil(seconds)
  expect(requests[0]!.language).toBe(null)
  expect(requests.at(-1)!.language).toBe('en')
})

test('does not preview a finished utterance again during silence', async () => {
  const { feedUntil, finals, requests } = scriptedStream([sentence('turn on the light in the kitchen.', 0)])
  await feedUntil(4)
  expect(finals).toEqual(['turn on the light in the kitchen.'])
  const requestsBefore = requests.length
  await feedUntil(60)
  expect(requests.length).toBe(requestsBefore)
})

test('previews a sentence that continues after half a second with its beginning, without duplicates', async () => {
  const { feedUntil, finish, requests, confirmed, finals } = scriptedStream([
    sentence('my telephone number is', 0.5),
    sentence('five five five nought one nine.', 2.5),
  ])
  await feedUntil(6)
  await finish()
  const text = 'my telephone number is five five five nought one nine.'
  expect(finals).toEqual([text])
  expect(text).toStartWith(confirmed.join(''))
  expect(wordsOf(confirmed).length).toBeGreaterThan(6)
  expect(requests.at(-1)!.firstSecond).toBeLessThan(0.5)
})

test('does not preview speech of 15 s ago again, even without a long pause', async () => {
  const { phrases, seconds } = speech(26, { wordsEach: 7, pauseSeconds: 0.6 })
  const { feedUntil, requests } = scriptedStream(phrases)
  await feedUntil(seconds)
  const late = requests.filter(({ lastSecond }) => lastSecond > 20)
  expect(late.length).toBeGreaterThan(5)
  for (const { firstSecond, lastSecond } of late) expect(lastSecond - firstSecond).toBeLessThan(18)
})

describeAtLength('loses and duplicates no words, and no request is longer than 28 s,', () => {
  const streams = {
    'without pauses': speech(70, { wordsEach: 200, pauseSeconds: 1.1 }),
    'in phrases of 15 s': speech(90, { wordsEach: 45, pauseSeconds: 0.4 }),
    'in short sentences': speech(120, { wordsEach: 7, pauseSeconds: 0.9 }),
    'word by word': speech(60, { wordsEach: 1, pauseSeconds: 1.1 }),
  }
  for (const [title, { phrases, seconds, text }] of Object.entries(streams)) {
    // A single word of a third of a second is too short for a preview.
    const hasPreviews = phrases[0]!.text.includes(' ')
    for (const pieceSeconds of [0.5, 0.037, 300]) {
      test(`${title}, pushed in pieces of ${pieceSeconds} s`, async () => {
        const { feedUntil, finish, confirmed, finals, requests } = scriptedStream(phrases)
        await feedUntil(seconds, pieceSeconds)
        await finish()
        expect(finals.join(' ')).toBe(text)
        expect(isInOrderAmong(wordsOf(confirmed), text.split(' '))).toBe(true)
        if (hasPreviews && pieceSeconds < 1)
          expect(wordsOf(confirmed).length).toBeGreaterThan(text.split(' ').length / 2)
        expect(Math.max(0, ...requests.map(({ samples }) => samples))).toBeLessThanOrEqual(LONGEST)
      })
    }
  }
})

test('runs one preview at a time; the next one has all audio that arrived meanwhile', async () => {
  const { phrases, seconds, text } = speech(20, { wordsEach: 9, pauseSeconds: 0.5 })
  let answer = () => {}
  const { feedUntil, finish, requests, finals, state } = scriptedStream(phrases, {
    recognise: () => {
      const { promise, resolve } = Promise.withResolvers<Result<WindowTranscript, EngineFailure>>()
      answer = () => resolve(succeed({ language: 'en', languageProbability: null, segments: [] }))
      return promise
    },
  })
  await feedUntil(2.5)
  expect(requests.length).toBe(1)
  await feedUntil(3)
  expect(requests.length).toBe(1)
  answer()
  await settled()
  await feedUntil(4)
  expect(requests.length).toBe(2)
  expect(requests[1]!.lastSecond).toBeGreaterThan(3.4)
  await feedUntil(seconds)
  await finish()
  expect(finals.join(' ')).toBe(text)
  expect(state.mostInFlight).toBe(1)
})

testAtLength('needs no more memory for ten minutes than for one', async () => {
  const { phrases } = speech(600, { wordsEach: 20, pauseSeconds: 0.9 })
  const { feedUntil, confirmed } = scriptedStream(phrases)
  const audioBytes = () => {
    Bun.gc(true)
    return process.memoryUsage().external
  }
  await feedUntil(60, 2)
  const before = audioBytes()
  await feedUntil(600, 2)
  // all of it would be 35 MB
  expect(audioBytes() - before).toBeLessThan(4_000_000)
  expect(wordsOf(confirmed).length).toBeGreaterThan(1200)
})

describe('hallucinations', () => {
  test('silence never reaches the engine', async () => {
    const { feedUntil, finish, requests, finals } = scriptedStream([], {
      recognise: () => [{ text: 'Thank you.', fromSecond: 0, toSecond: 1 }],
    })
    await feedUntil(60)
    await finish()
    expect([requests.length, finals]).toEqual([0, []])
  })

  test('drops captions for noises', async () => {
    const { feedUntil, finish, requests, confirmed, partials } = scriptedStream(
      [sentence('woof woof woof', 1)],
      {
        recognise: () => [{ text: '[dog barking]', fromSecond: 0, toSecond: 1 }],
      },
    )
    await feedUntil(6)
    await finish()
    expect(requests.length).toBeGreaterThan(0)
    expect([confirmed, partials]).toEqual([[], []])
  })

  test('confirms a loop only a few times, however often it is transcribed', async () => {
    const { feedUntil, finish, requests, confirmed } = scriptedStream(
      [sentence('la '.repeat(180).trim(), 0)],
      {
        recognise: (_, { samples }) => [
          {
            text: 'and then we go '.repeat(20).trim(),
            fromSecond: 0,
            toSecond: samples.length / 16_000,
          },
        ],
      },
    )
    await feedUntil(62)
    await finish()
    expect(requests.length).toBeGreaterThan(10)
    const rounds = confirmed.join('').match(/and then we/g)!.length
    expect(rounds).toBeGreaterThanOrEqual(1)
    expect(rounds).toBeLessThan(5)
  })

  test('previews that contradict the confirmed text confirm nothing, even if they agree', async () => {
    const words = 'one two three four five six seven eight nine ten eleven twelve and so on up to a hundred'
    const othersFor = (text: string) =>
      text
        .split(' ')
        .map((_, index) => `zz${index}`)
        .join(' ')
    let isWrong = false
    const { feedUntil, confirmed, requests } = scriptedStream([sentence(words, 0)], {
      recognise: (spoken) => (isWrong ? [{ ...spoken[0]!, text: othersFor(spoken[0]!.text) }] : spoken),
    })
    await feedUntil(2.5)
    const before = confirmed.join('')
    expect(wordsOf([before]).length).toBeGreaterThan(3)
    isWrong = true
    const requestsBefore = requests.length
    await feedUntil(4.5)
    expect(requests.length).toBeGreaterThan(requestsBefore + 1)
    expect(confirmed.join('')).toBe(before)
    isWrong = false
    await feedUntil(6.5)
    expect(words).toStartWith(confirmed.join(''))
    expect(confirmed.join('').length).toBeGreaterThan(before.length)
  })
})

describe('a stream ends', () => {
  test('without output if there was no input', async () => {
    const { finish, finals } = scriptedStream([])
    await finish()
    expect(finals).toEqual([])
  })

  test('in the middle of a sentence, with all speech transcribed', async () => {
    const { feedUntil, finish, finals } = scriptedStream([sentence('save the file then close', 0)])
    await feedUntil(1.5)
    await finish()
    expect(finals).toEqual(['save the file then'])
  })

  test('only once: later samples are ignored', async () => {
    const { feedUntil, live, finish, finals } = scriptedStream([sentence('save the file then close', 0)])
    await feedUntil(1)
    live.finish()
    await feedUntil(3)
    await finish()
    expect(finals).toEqual(['save the file'])
  })

  test('at once on cancel, without further callbacks, even if the engine does not respond', async () => {
    const stop = new AbortController()
    const { promise, resolve } = Promise.withResolvers<Result<WindowTranscript, EngineFailure>>()
    const { feedUntil, live, requests, confirmed, partials } = scriptedStream(
      [sentence('save the file then close', 0)],
      { signal: stop.signal, recognise: () => promise },
    )
    await feedUntil(2)
    expect(requests.length).toBe(1)
    stop.abort()
    expect(await live.ended).toMatchObject({ ok: false, failure: { code: 'aborted' } })
    resolve({
      ok: true,
      value: {
        language: 'en',
        languageProbability: null,
        segments: [
          { text: 'Too late.', startMs: 0, endMs: 900, avgLogprob: -0.1, noSpeechProb: null, words: [] },
        ],
      },
    })
    await feedUntil(4)
    live.finish()
    expect(await live.ended).toMatchObject({ ok: false, failure: { code: 'aborted' } })
    expect([requests.length, confirmed, partials]).toEqual([1, [], []])
  })

  test('if a callback cancels it', async () => {
    const stop = new AbortController()
    const { feedUntil, live, partials } = scriptedStream([sentence('save the file then close it now', 0)], {
      signal: stop.signal,
      onConfirmed: () => stop.abort(),
    })
    await feedUntil(4)
    expect(await live.ended).toMatchObject({ ok: false, failure: { code: 'aborted' } })
    expect(partials.length).toBe(1)
  })

  test('if it was cancelled before it began', async () => {
    const { live } = scriptedStream([], { signal: AbortSignal.abort() })
    expect(await live.ended).toMatchObject({ ok: false, failure: { code: 'aborted' } })
  })
})

describe('a failure', () => {
  const crash = async () => fail({ code: 'engine_crashed' as const, message: 'It died.' })

  test('of the engine is retried once', async () => {
    const { feedUntil, finish, confirmed, finals } = scriptedStream(
      [sentence('save the file then close', 0)],
      {
        recognise: (spoken, _, call) => (call === 2 ? crash() : spoken),
      },
    )
    await feedUntil(4)
    await finish()
    expect(finals).toEqual(['save the file then close'])
    expect(confirmed.join('')).toStartWith('save the')
  })

  test('of the engine that repeats ends the stream', async () => {
    const { feedUntil, live, requests } = scriptedStream([sentence('save the file then close', 0)], {
      recognise: crash,
    })
    await feedUntil(2)
    expect(await live.ended).toEqual({ ok: false, failure: { code: 'engine_crashed', message: 'It died.' } })
    await feedUntil(4)
    expect(requests.length).toBe(2)
  })

  test('of the model is not retried', async () => {
    const { feedUntil, live, requests } = scriptedStream([sentence('save the file then close', 0)], {
      recognise: async () => fail({ code: 'model_unreadable' as const, message: 'Truncated.' }),
    })
    await feedUntil(2)
    expect(await live.ended).toMatchObject({ ok: false, failure: { code: 'model_unreadable' } })
    expect(requests.length).toBe(1)
  })

  test('of the detector ends the stream', async () => {
    const failure = { code: 'speech_detector_failed' as const, message: 'It died.' }
    const { live, feedUntil } = scriptedStream([], { follow: async () => fail(failure) })
    await feedUntil(1)
    expect(await live.ended).toEqual({ ok: false, failure })
  })

  test('of the detector ends the running preview, which emits nothing more', async () => {
    const { promise, resolve } = Promise.withResolvers<Result<WindowTranscript, EngineFailure>>()
    let isBroken = false
    const stream = scriptedStream([sentence('save the file then close', 0)], {
      recognise: () => promise,
      follow: async (samples) => {
        const probabilities = new Float32Array(Math.ceil(samples.length / 512)).fill(0.95)
        return isBroken
          ? fail({ code: 'speech_detector_failed', message: 'It died.' })
          : succeed(probabilities)
      },
    })
    await stream.feedUntil(1.5)
    expect(stream.requests.length).toBe(1)
    isBroken = true
    await stream.feedUntil(2)
    expect(await stream.live.ended).toMatchObject({ ok: false, failure: { code: 'speech_detector_failed' } })
    const segments = [
      { text: 'Too late.', startMs: 0, endMs: 900, avgLogprob: -0.1, noSpeechProb: null, words: [] },
    ]
    resolve(succeed({ language: 'en', languageProbability: null, segments }))
    await settled()
    expect(stream.partials).toEqual([])
  })

  testAtLength('too_far_behind ends the stream after ten minutes without a transcription', async () => {
    const { feedUntil, live } = scriptedStream([sentence('word '.repeat(3000).trim(), 0)], {
      utterances: { write: () => new Promise(() => {}) },
    })
    await feedUntil(590, 10)
    expect(await Promise.race([live.ended, settled()])).toBeUndefined()
    await feedUntil(640, 10)
    expect(await live.ended).toMatchObject({ ok: false, failure: { code: 'too_far_behind' } })
  })
})

test('sends the prompt with every request', async () => {
  const { feedUntil, finish, requests } = scriptedStream([sentence('save the file then close', 0)], {
    prompt: 'Kubernetes',
  })
  await feedUntil(4)
  await finish()
  expect(requests.every(({ prompt }) => prompt === 'Kubernetes')).toBe(true)
})

test('a signal that outlives its streams does not retain them', async () => {
  const { signal } = new AbortController()
  const streamOnce = async () => {
    const { feedUntil, finish } = scriptedStream([sentence('turn on the light', 0)], { signal })
    await feedUntil(2)
    await finish()
  }
  await streamOnce()
  const before = signalsAlive()
  for (let streams = 0; streams < 50; streams++) await streamOnce()
  expect(signalsAlive() - before).toBeLessThan(20)
})
