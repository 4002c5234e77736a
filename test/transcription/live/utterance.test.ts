// Cutting a stream into utterances, with a scripted engine and detector. Each sample encodes its own position.
// Transcribing an utterance is tested in test/api/live.test.ts.

import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { fail, succeed } from '../../../src/lib/result.ts'
import { SILENCE_MS, type Utterance } from '../../../src/transcription/live/utterance.ts'
import { samplesBetween, scriptedStream, sentence } from '../scripted-stream.ts'

// Test doubles respond at once, but the machine may be busy.
setDefaultTimeout(180_000)

const RATE = 16_000
const seconds = (samples: number) => samples / RATE

/** Pushes pieces of `pieceSeconds` and waits for each step. */
async function cut(
  phrases: ReturnType<typeof sentence>[],
  until: number,
  pieceSeconds: number,
  silenceMs: number = SILENCE_MS.usual,
) {
  const begun: number[] = []
  const utterances: Utterance[] = []
  const stream = scriptedStream(phrases, {
    utterances: {
      silenceMs,
      begins: (sample) => begun.push(seconds(sample)),
      write: async (utterance) => succeed(() => void utterances.push(utterance)),
    },
  })
  await stream.feedUntil(until, pieceSeconds)
  await stream.finish()
  return { begun, utterances, requests: stream.requests, confirmed: stream.confirmed }
}

const talk = [
  sentence('good morning to all of you', 0.5),
  // After half a second, which ends no utterance.
  sentence('and to the others', 3),
  sentence('after a second and a half', 5.9),
  sentence('yes', 10),
  sentence('and after a long silence more', 22),
]

describe.each([0.1, 0.5, 3, 60])('speech that arrives %p seconds at a time', (pieceSeconds) => {
  test('is cut at the same pauses', async () => {
    const { begun, utterances } = await cut(talk, 30, pieceSeconds)
    expect(begun.map((second) => Math.round(second * 2) / 2)).toEqual([0.5, 6, 10, 22])
    expect(utterances.map(({ fromSample, toSample }) => [fromSample, toSample])).toEqual(
      (await cut(talk, 30, 0.5)).utterances.map(({ fromSample, toSample }) => [fromSample, toSample]),
    )
  })

  test('results in utterances with the surrounding silence but no other speech', async () => {
    const { utterances } = await cut(talk, 30, pieceSeconds)
    for (const { samples, fromSample, toSample } of utterances)
      expect(samples).toEqual(samplesBetween(seconds(fromSample), seconds(toSample)))
    for (const { fromSecond, toSecond } of talk) {
      const holding = utterances.filter(
        ({ fromSample, toSample }) => seconds(fromSample) < toSecond && seconds(toSample) > fromSecond,
      )
      expect(holding).toHaveLength(1)
      expect(seconds(holding[0]!.fromSample)).toBeLessThanOrEqual(fromSecond)
      expect(seconds(holding[0]!.toSample)).toBeGreaterThanOrEqual(toSecond + 0.25)
    }
    // Ten seconds of silence are not included.
    expect(seconds(utterances.at(-1)!.fromSample)).toBeGreaterThan(20)
  })
})

test.each([
  [400, 5],
  [1000, 4],
  [3000, 2],
])('a requested silence of %p ms ends an utterance', async (silenceMs, count) => {
  const inPieces = await cut(talk, 30, 0.1, silenceMs)
  expect(inPieces.utterances).toHaveLength(count)
  expect(inPieces.utterances).toEqual((await cut(talk, 30, 60, silenceMs)).utterances)
  for (const { speechToSample, toSample } of inPieces.utterances)
    expect(toSample - speechToSample).toBeLessThanOrEqual((silenceMs * RATE) / 1000)
})

test('cuts speech without pauses at a full window and loses no sample', async () => {
  const words = Array.from({ length: 240 }, (_, index) => `word${index}`).join(' ')
  const { utterances, requests } = await cut([sentence(words, 0)], 82, 0.5)
  expect(utterances.length).toBeGreaterThanOrEqual(3)
  for (const [index, { fromSample, samples }] of utterances.entries()) {
    expect(fromSample).toBeLessThanOrEqual(utterances[index - 1]?.toSample ?? 0)
    expect(seconds(samples.length)).toBeLessThanOrEqual(30)
  }
  expect(seconds(utterances.at(-1)!.toSample)).toBeGreaterThan(80)
  expect(Math.max(...requests.map(({ samples }) => samples))).toBeLessThanOrEqual(28 * RATE)
})

test('confirms words during an utterance but leaves the last ones to its transcription', async () => {
  const { confirmed, requests, utterances } = await cut(talk, 30, 0.5)
  const said = talk.map(({ text }) => text).join(' ')
  expect(confirmed.length).toBeGreaterThan(2)
  expect(confirmed.join(' ')).not.toContain('yes')
  let rest = said
  for (const word of confirmed.join(' ').split(/\s+/).filter(Boolean)) {
    expect(rest).toContain(word)
    rest = rest.slice(rest.indexOf(word) + word.length)
  }
  // No preview spans two utterances.
  for (const { firstSecond, lastSecond } of requests)
    expect(
      utterances.filter(
        ({ fromSample, toSample }) =>
          firstSecond >= seconds(fromSample) - 0.04 && lastSecond <= seconds(toSample) + 0.1,
      ).length,
      `${firstSecond} to ${lastSecond}`,
    ).toBeGreaterThanOrEqual(1)
})

test('transcribes audio that arrives all at once without previews', async () => {
  const { requests, utterances } = await cut(talk, 30, 60)
  expect(utterances).toHaveLength(4)
  expect(requests).toEqual([])
})

/** Records each transcription with its times, in seconds of the stream. */
function writings(phrases: ReturnType<typeof sentence>[]) {
  const state = { fed: 0 }
  const written: { begun: number; from: number; to: number; left: number | null; emitted: number | null }[] =
    []
  const stream = scriptedStream(phrases, {
    utterances: {
      async write({ fromSample, toSample }, signal) {
        const times = { from: seconds(fromSample), to: seconds(toSample) }
        const one = {
          begun: state.fed,
          ...times,
          left: null as number | null,
          emitted: null as number | null,
        }
        written.push(one)
        signal.addEventListener('abort', () => {
          one.left = state.fed
        })
        return succeed(() => {
          one.emitted = state.fed
        })
      },
    },
  })
  const feedUntil = async (second: number) => {
    while (state.fed < second) {
      state.fed = Math.min(second, Math.round(state.fed * 10 + 1) / 10)
      await stream.feedUntil(state.fed, 0.1)
    }
  }
  return { written, feedUntil, finish: stream.finish }
}

test('transcribes an utterance during the pause after it and emits it once the pause is long enough', async () => {
  const { written, feedUntil } = writings([sentence('good morning to all', 1)])
  await feedUntil(6)
  expect(written).toHaveLength(1)
  const { begun, left, emitted } = written[0]!
  expect(begun).toBeLessThan(3.1)
  expect(left).toBe(null)
  expect(emitted).toBeGreaterThanOrEqual(3.3)
  expect(emitted).toBeLessThan(3.6)
})

test('aborts a speculative transcription if the user continues to speak, and never emits it', async () => {
  const { written, feedUntil, finish } = writings([
    sentence('good morning to all', 1),
    sentence('and to you', 3),
  ])
  await feedUntil(7)
  expect(written).toHaveLength(2)
  const [first, whole] = written
  expect(first!.emitted).toBe(null)
  expect(first!.left).toBeGreaterThanOrEqual(3)
  expect(first!.left).toBeLessThan(3.5)
  expect([whole!.from, whole!.left]).toEqual([first!.from, null])
  expect(whole!.to).toBeGreaterThan(4)
  expect(whole!.emitted).not.toBe(null)
  await finish()
  expect(written).toHaveLength(2)
})

test('reuses the speculative transcription if the stream ends during the pause', async () => {
  const { written, feedUntil, finish } = writings([sentence('good morning to all', 1)])
  await feedUntil(2.9)
  expect(written).toMatchObject([{ emitted: null }])
  await finish()
  expect(written).toMatchObject([{ emitted: 2.9 }])
})

test('a failed transcription ends the stream with its reason', async () => {
  const { live, feedUntil } = scriptedStream(talk, {
    utterances: { write: async () => fail({ code: 'disk_full', message: 'No room.' }) },
  })
  await feedUntil(6)
  expect(await live.ended).toEqual(fail({ code: 'disk_full', message: 'No room.' }))
})

test('falls back to utterances without previews and reports it if previews are slower than speech', async () => {
  const slow = Promise.withResolvers<void>()
  const emitted: string[] = []
  const stream = scriptedStream(talk, {
    recognise: async () => {
      await slow.promise
      return succeed({ language: 'en', languageProbability: 0.9, segments: [] })
    },
    onSlow: () => emitted.push('slow'),
    utterances: {
      begins: () => emitted.push('begun'),
      write: async () => succeed(() => void emitted.push('written')),
    },
  })
  await stream.feedUntil(3.4)
  slow.resolve()
  await stream.feedUntil(15)
  expect(stream.requests).toHaveLength(1)
  await stream.feedUntil(30)
  await stream.finish()
  expect(emitted).toEqual([
    'begun',
    'slow',
    ...['written', 'begun', 'written', 'begun', 'written', 'begun', 'written'],
  ])
})
