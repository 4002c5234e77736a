import { expect, test } from 'bun:test'
import type { SpeechSpan } from '../../src/audio/speech-spans.ts'
import { halveWindow, planWindows, type Window, windowLength } from '../../src/transcription/windows.ts'
import fc from '../support/fast-check.ts'

const SECOND = 16_000

/** Spans like the detector's, from pauses and lengths of speech in seconds; margins share short pauses. */
function spansFrom(parts: { pause: number; speech: number }[]): SpeechSpan[] {
  let at = 0
  const speech = parts.map((part) => {
    const from = at + Math.round(part.pause * SECOND)
    at = from + Math.round(part.speech * SECOND)
    return { from, to: at }
  })
  return speech.map(({ from, to }, index) => {
    const before = index === 0 ? 0 : Math.round((speech[index - 1]!.to + from) / 2)
    const after = index === speech.length - 1 ? to + SECOND : Math.round((to + speech[index + 1]!.from) / 2)
    return {
      fromSample: Math.max(before, from - 4800),
      toSample: Math.min(after, to + 6400),
      speechFromSample: from,
      speechToSample: to,
      probability: 0.9,
    }
  })
}

async function* each<T>(items: T[]) {
  yield* items
}

const middle = async (from: number, to: number) => Math.floor((from + to) / 2)

async function plan(spans: SpeechSpan[], findCutPoint = middle): Promise<Window[]> {
  return await Array.fromAsync(planWindows(each(spans), findCutPoint))
}

const anyParts = fc.array(
  fc.record({
    pause: fc.oneof(
      fc.double({ min: 0.2, max: 2, noNaN: true }),
      fc.double({ min: 2, max: 90, noNaN: true }),
    ),
    speech: fc.oneof(
      fc.double({ min: 0.2, max: 8, noNaN: true }),
      fc.double({ min: 8, max: 30, noNaN: true }),
    ),
  }),
  { minLength: 1, maxLength: 40 },
)

test('every sample of every span is in exactly one window, in order', async () => {
  await fc.assert(
    fc.asyncProperty(anyParts, async (parts) => {
      const spans = spansFrom(parts)
      const ranges = (await plan(spans)).flatMap((window) => window.ranges)
      for (const [index, range] of ranges.entries()) {
        expect(range.toSample).toBeGreaterThan(range.fromSample)
        if (index > 0) expect(range.fromSample).toBeGreaterThanOrEqual(ranges[index - 1]!.toSample)
      }
      for (const span of spans) {
        const inside = ranges.reduce((sum, range) => {
          const from = Math.max(range.fromSample, span.fromSample)
          return sum + Math.max(0, Math.min(range.toSample, span.toSample) - from)
        }, 0)
        expect(inside).toBe(span.toSample - span.fromSample)
      }
    }),
  )
})

test('no window is longer than 28 s and none is without speech', async () => {
  await fc.assert(
    fc.asyncProperty(anyParts, async (parts) => {
      for (const { ranges, spans } of await plan(spansFrom(parts))) {
        expect(windowLength(ranges)).toBeLessThanOrEqual(28 * SECOND)
        const speech = spans.reduce((sum, span) => sum + span.speechToSample - span.speechFromSample, 0)
        expect(speech).toBeGreaterThan(0)
      }
    }),
  )
})

test('a window ends at the longest pause near its end', async () => {
  const spans = spansFrom([
    { pause: 0, speech: 13 },
    { pause: 0.3, speech: 6 },
    { pause: 1.2, speech: 5 },
    { pause: 0.3, speech: 9 },
  ])
  const windows = await plan(spans)
  expect(windows.map((window) => window.spans.length)).toEqual([2, 2])
})

test('skips long silence and keeps short silence', async () => {
  const spans = spansFrom([
    { pause: 10, speech: 2 },
    { pause: 2, speech: 2 },
    { pause: 600, speech: 2 },
  ])
  const windows = await plan(spans)
  expect(windows.length).toBe(1)
  expect(windows[0]!.ranges.length).toBe(2)
  expect(windowLength(windows[0]!.ranges)).toBeLessThan(10 * SECOND)
})

test('cuts speech without a pause at the quietest point between 18 and 28 s', async () => {
  const requests: [number, number][] = []
  const spans = spansFrom([
    { pause: 0, speech: 30 },
    { pause: 0, speech: 30 },
    { pause: 0, speech: 10 },
  ])
  const windows = await plan(spans, async (from, to) => {
    requests.push([from, to])
    return to - 1000
  })
  expect(requests[0]).toEqual([18 * SECOND, 28 * SECOND])
  expect(windows.map((window) => windowLength(window.ranges) / SECOND)).toEqual([27.9375, 27.9375, 14.525])
})

test('yields the first window of a long recording before later spans arrive', async () => {
  let taken = 0
  const spans = spansFrom(Array.from({ length: 500 }, () => ({ pause: 0.5, speech: 5 })))
  const counted = async function* () {
    for (const span of spans) {
      taken++
      yield span
    }
  }
  await planWindows(counted(), middle).next()
  expect(taken).toBeLessThan(8)
})

test('halves a window without losing a sample of speech', async () => {
  await fc.assert(
    fc.asyncProperty(anyParts, async (parts) => {
      for (const window of await plan(spansFrom(parts))) {
        const halves = await halveWindow(window, middle)
        if (!halves) continue
        const kept = (windows: Window[]) =>
          windows
            .flatMap(({ spans }) => spans)
            .reduce((sum, span) => sum + span.toSample - span.fromSample, 0)
        expect(kept(halves)).toBe(kept([window]))
        for (const half of halves) expect(windowLength(half.ranges)).toBeGreaterThan(0)
      }
    }),
  )
})
