// Streams against an engine and a detector written by hand, since what matters here is who says what when;
// a real engine listens to real speech in live-speech.test.ts.

import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { EngineFailure, WindowTranscript } from '../../src/engine/engine.ts'
import { fail, type Result } from '../../src/lib/result.ts'
import { createLiveTranscription } from '../../src/transcription/live-transcription.ts'
import { describeAtLength, testAtLength } from '../support/at-length.ts'
import { signalsAlive } from '../support/signals.ts'
import { until } from '../support/until.ts'
import { MODEL, type Phrase, samplesBetween, scriptedStream, sentence, settled } from './scripted-stream.ts'

// Doubles answer at once, but a busy machine takes its time.
setDefaultTimeout(60_000)

const LONGEST = 28 * 16_000

/** Phrases of many words one behind the other, no two alike, with a pause after each. */
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

test('words come back while somebody speaks, and all of them in the end', async () => {
  const text = 'and so my fellow Americans ask not what your country can do for you.'
  const { feedUntil, finish, confirmed, partials, asked } = scriptedStream([sentence(text, 0.5)])
  await feedUntil(3.5)
  expect(confirmed.join('')).toMatch(/^and so my fellow/)
  expect(partials.length).toBeGreaterThan(1)
  await feedUntil(7)
  const transcript = await finish()
  expect(confirmed.join('')).toBe(text)
  expect(transcript).toMatchObject({ text, language: 'en', languageProbability: 0.9, model: 'tiny' })
  expect(transcript.durationMs).toBe(7000)
  expect(transcript.segments.map((segment) => segment.text)).toEqual([text])
  expect(transcript.segments[0]!.words.map(({ word }) => word)).toEqual(text.split(' '))
  expect(asked.length).toBeLessThan(7)
  expect(partials.at(-1)).toBe('')
})

test('a word is confirmed when two hearings agree on it, and the last word never', async () => {
  const versions = ['he was an', 'he was not an old', 'he was not an ill-disposed man']
  const { feedUntil, confirmed, partials, asked } = scriptedStream(
    [sentence('he was not an ill disposed young man at all', 0)],
    {
      ear: (_, { samples }, call) => [
        { text: versions[call - 1] ?? 'nothing', fromSecond: 0, toSecond: samples.length / 16_000 },
      ],
    },
  )
  await feedUntil(1)
  expect([asked.length, confirmed, partials]).toEqual([1, [], ['he was an']])
  await feedUntil(2)
  expect([asked.length, confirmed, partials.at(-1)]).toEqual([2, ['he was'], 'not an old'])
  await feedUntil(3)
  expect([asked.length, confirmed, partials.at(-1)]).toEqual([3, ['he was', ' not an'], 'ill-disposed man'])
})

test('what was said before a pause is confirmed without a second hearing', async () => {
  const { feedUntil, confirmed, asked } = scriptedStream([sentence('turn on the light in the kitchen.', 0)])
  await feedUntil(4)
  expect(confirmed.join('')).toBe('turn on the light in the kitchen.')
  const hearings = asked.length
  await feedUntil(60)
  expect(asked.length).toBe(hearings)
})

test('a sentence that goes on after a pause is heard with what came before it, and nothing is doubled', async () => {
  const { feedUntil, finish, asked } = scriptedStream([
    sentence('my telephone number is', 0.5),
    sentence('five five five nought one nine.', 3),
  ])
  await feedUntil(6)
  const { text, segments } = await finish()
  expect(text).toBe('my telephone number is five five five nought one nine.')
  expect(asked.at(-1)!.firstSecond).toBeLessThan(0.5)
  const words = segments.flatMap((segment) => segment.words)
  for (const [index, { startMs }] of words.slice(1).entries()) {
    expect(startMs).toBeGreaterThanOrEqual(words[index]!.endMs)
  }
})

test('what was said long before is not heard again', async () => {
  const { feedUntil, finish, asked } = scriptedStream([
    sentence('the first thing is done.', 0.5),
    sentence('the second thing is not.', 30),
  ])
  await feedUntil(35)
  expect((await finish()).text).toBe('the first thing is done. the second thing is not.')
  expect(asked.filter(({ lastSecond }) => lastSecond > 30).every((one) => one.firstSecond > 25)).toBe(true)
})

describeAtLength('nothing is lost or doubled, and no hearing is longer than 28 s,', () => {
  const streams = {
    'where nobody pauses': speech(70, { wordsEach: 200, pauseSeconds: 1 }),
    'in a quarter of a minute per breath': speech(90, { wordsEach: 45, pauseSeconds: 0.4 }),
    'in short sentences': speech(120, { wordsEach: 7, pauseSeconds: 0.9 }),
    'word by word': speech(60, { wordsEach: 1, pauseSeconds: 1.1 }),
  }
  for (const [title, { phrases, seconds, text }] of Object.entries(streams)) {
    for (const pieceSeconds of [0.5, 0.037, 300]) {
      test(`${title}, fed in pieces of ${pieceSeconds} s`, async () => {
        const { feedUntil, finish, confirmed, asked } = scriptedStream(phrases)
        await feedUntil(seconds, pieceSeconds)
        expect((await finish()).text).toBe(text)
        expect(confirmed.join('')).toBe(text)
        expect(Math.max(...asked.map(({ samples }) => samples))).toBeLessThanOrEqual(LONGEST)
      })
    }
  }
})

test('audio that arrives while the engine is busy is heard at once afterwards', async () => {
  const { phrases, seconds, text } = speech(40, { wordsEach: 9, pauseSeconds: 0.5 })
  let answer = () => {}
  const { feedUntil, live, asked, state } = scriptedStream(phrases, {
    ear: (heard) => {
      const { promise, resolve } = Promise.withResolvers<Result<WindowTranscript, EngineFailure>>()
      answer = () =>
        resolve({
          ok: true,
          value: {
            language: 'en',
            languageProbability: null,
            segments: heard.map(({ text: heardText, fromSecond, toSecond }) => ({
              text: heardText,
              startMs: fromSecond * 1000,
              endMs: toSecond * 1000,
              avgLogprob: -0.1,
              noSpeechProb: null,
              words: heardText.split(' ').map((word, index, all) => ({
                word,
                startMs: (fromSecond + ((toSecond - fromSecond) * index) / all.length) * 1000,
                endMs: (fromSecond + ((toSecond - fromSecond) * (index + 1)) / all.length) * 1000,
                probability: 0.9,
              })),
            })),
          },
        })
      return promise
    },
  })
  await feedUntil(2.5)
  expect(asked.length).toBe(1)
  await feedUntil(12)
  expect(asked.length).toBe(1)
  answer()
  await settled()
  expect(asked.length).toBe(2)
  expect(asked[1]!.lastSecond).toBeGreaterThan(11)
  await feedUntil(seconds)
  let result: unknown
  live.finish().then((settledResult) => {
    result = settledResult
  })
  await until(
    () => {
      answer()
      return result
    },
    { timeoutMs: 10_000 },
  )
  expect(result).toMatchObject({ ok: true, value: { text } })
  expect(state.mostInFlight).toBe(1)
})

testAtLength('ten minutes need no more memory than one', async () => {
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
  expect(confirmed.join('').split(' ').length).toBeGreaterThan(1500)
})

describe('what the engine makes up', () => {
  test('silence is never heard', async () => {
    const { feedUntil, finish, asked } = scriptedStream([], {
      ear: () => [{ text: 'Thank you.', fromSecond: 0, toSecond: 1 }],
    })
    await feedUntil(60)
    expect(await finish()).toMatchObject({ text: '', segments: [], language: null })
    expect(asked.length).toBe(0)
  })

  test('captions and thanks for noises are no text', async () => {
    const { feedUntil, finish, confirmed, partials } = scriptedStream([sentence('woof woof woof', 1)], {
      ear: () => [{ text: '[dog barking]', fromSecond: 0, toSecond: 1 }],
    })
    await feedUntil(6)
    expect((await finish()).text).toBe('')
    expect([confirmed, partials]).toEqual([[], []])
  })

  test('a loop is confirmed once, however often it is heard', async () => {
    const { feedUntil, finish } = scriptedStream([sentence('la '.repeat(180).trim(), 0)], {
      ear: (_, { samples }) => [
        {
          text: 'and then we go '.repeat(20).trim(),
          fromSecond: 0,
          toSecond: samples.length / 16_000,
        },
      ],
    })
    await feedUntil(62)
    const { text } = await finish()
    expect(text.match(/and then we go/g)!.length).toBeLessThan(5)
  })

  test('a hearing that contradicts what is confirmed changes nothing of it, and confirms nothing', async () => {
    const words = 'one two three four five six seven eight nine ten eleven twelve'
    const { feedUntil, finish, confirmed } = scriptedStream([sentence(words, 0)], {
      ear: (heard, _, call) =>
        call === 3 ? [{ ...heard[0]!, text: heard[0]!.text.replace(/\w+/g, 'bla') }] : heard,
    })
    await feedUntil(2)
    const before = confirmed.join('')
    expect(before).not.toBe('')
    await feedUntil(3)
    expect(confirmed.join('')).toBe(before)
    await feedUntil(7)
    expect((await finish()).text).toBe(words)
  })
})

describe('ends', () => {
  test('with an empty transcript where nothing came', async () => {
    const { finish } = scriptedStream([])
    expect(await finish()).toMatchObject({ text: '', segments: [], durationMs: 0 })
  })

  test('in the middle of a word, with all that was said', async () => {
    const { feedUntil, finish, confirmed } = scriptedStream([sentence('save the file then close', 0)])
    await feedUntil(1.5)
    expect((await finish()).text).toBe('save the file then')
    expect(confirmed.join('')).toBe('save the file then')
  })

  test('once: what comes after the end is not heard', async () => {
    const { feedUntil, live, finish } = scriptedStream([sentence('save the file then close', 0)])
    await feedUntil(1)
    const first = live.finish()
    await feedUntil(3)
    expect(await finish()).toMatchObject({ text: 'save the file', durationMs: 1000 })
    expect(await first).toEqual(await live.ended)
  })

  test('within a second of a cancel, with nothing called afterwards, even where the engine does not answer', async () => {
    const stop = new AbortController()
    const { promise, resolve } = Promise.withResolvers<Result<WindowTranscript, EngineFailure>>()
    const { feedUntil, live, asked, confirmed, partials } = scriptedStream(
      [sentence('save the file then close', 0)],
      { signal: stop.signal, ear: () => promise },
    )
    await feedUntil(2)
    expect(asked.length).toBe(1)
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
    expect(await live.finish()).toMatchObject({ ok: false, failure: { code: 'aborted' } })
    expect([asked.length, confirmed, partials]).toEqual([1, [], []])
  })

  test('when it is cancelled from within what it calls', async () => {
    const stop = new AbortController()
    const { feedUntil, live, partials } = scriptedStream([sentence('save the file then close it now', 0)], {
      signal: stop.signal,
      onConfirmed: () => stop.abort(),
    })
    await feedUntil(4)
    expect(await live.ended).toMatchObject({ ok: false, failure: { code: 'aborted' } })
    expect(partials.length).toBe(1)
  })

  test('where it was cancelled before it began', async () => {
    const { live } = scriptedStream([], { signal: AbortSignal.abort() })
    expect(await live.ended).toMatchObject({ ok: false, failure: { code: 'aborted' } })
  })
})

describe('a failure', () => {
  const crash = async () => fail({ code: 'engine_crashed' as const, message: 'It died.' })

  test('of the engine that happens once is not noticed', async () => {
    const { feedUntil, finish } = scriptedStream([sentence('save the file then close', 0)], {
      ear: (heard, _, call) => (call === 2 ? crash() : heard),
    })
    await feedUntil(4)
    expect((await finish()).text).toBe('save the file then close')
  })

  test('of the engine that happens again ends the stream', async () => {
    const { feedUntil, live, asked } = scriptedStream([sentence('save the file then close', 0)], {
      ear: crash,
    })
    await feedUntil(2)
    expect(await live.ended).toEqual({ ok: false, failure: { code: 'engine_crashed', message: 'It died.' } })
    await feedUntil(4)
    expect(asked.length).toBe(2)
  })

  test('of the model is not tried again', async () => {
    const { feedUntil, live, asked } = scriptedStream([sentence('save the file then close', 0)], {
      ear: async () => fail({ code: 'model_unreadable' as const, message: 'Truncated.' }),
    })
    await feedUntil(2)
    expect(await live.ended).toMatchObject({ ok: false, failure: { code: 'model_unreadable' } })
    expect(asked.length).toBe(1)
  })

  test('of the detector ends the stream', async () => {
    const failure = { code: 'speech_detector_failed' as const, message: 'It died.' }
    const live = createLiveTranscription(
      {
        engine: { transcribe: () => expect.unreachable() },
        detector: { follow: () => ({ follow: async () => fail(failure) }) },
      },
      {
        model: MODEL,
        language: null,
        task: 'transcribe',
        prompt: null,
        signal: new AbortController().signal,
      },
    )
    live.push(samplesBetween(0, 1))
    expect(await live.ended).toEqual({ ok: false, failure })
  })

  testAtLength('refuses more than ten minutes that nobody could hear yet', async () => {
    const { feedUntil, live } = scriptedStream([sentence('word '.repeat(3000).trim(), 0)], {
      ear: () => new Promise(() => {}),
    })
    await feedUntil(590, 10)
    expect(await Promise.race([live.ended, settled()])).toBeUndefined()
    await feedUntil(620, 10)
    expect(await live.ended).toMatchObject({ ok: false, failure: { code: 'too_far_behind' } })
  })
})

test('the prompt goes with every hearing', async () => {
  const { feedUntil, finish, asked } = scriptedStream([sentence('save the file then close', 0)], {
    prompt: 'Kubernetes',
  })
  await feedUntil(4)
  await finish()
  expect(asked.every(({ prompt }) => prompt === 'Kubernetes')).toBe(true)
})

test('streams that are over are not kept by a signal that outlives them', async () => {
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
