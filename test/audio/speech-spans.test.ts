import { expect, test } from 'bun:test'
import { blockLevel, detectorGain } from '../../src/audio/speech-level.ts'
import { createSpanFinder, NARROW, type SpeechSpan, WIDE } from '../../src/audio/speech-spans.ts'
import fc from '../support/fast-check.ts'

const FRAME = 512

/** Probabilities as a string: `#` is speech (0.9), `+` is between the thresholds (0.4), `.` is silence. */
function spansOf(line: string, { chunk = line.length, margins = WIDE } = {}): SpeechSpan[] {
  const probabilities = Float32Array.from(line, (sign) => (sign === '#' ? 0.9 : sign === '+' ? 0.4 : 0.01))
  const finder = createSpanFinder(line.length * FRAME, margins)
  const found: SpeechSpan[] = []
  for (let at = 0; at < probabilities.length; at += chunk) {
    found.push(...finder.push(probabilities.subarray(at, at + chunk)))
  }
  return [...found, ...finder.finish()]
}

const inFrames = (spans: SpeechSpan[]) =>
  spans.map(({ speechFromSample, speechToSample }) => [speechFromSample / FRAME, speechToSample / FRAME])

const silence = (frames: number) => '.'.repeat(frames)
const speech = (frames: number) => '#'.repeat(frames)

test('speech begins above one threshold and ends below another', () => {
  expect(inFrames(spansOf(`${silence(10)}++${speech(20)}+++${silence(30)}++++`))).toEqual([[12, 35]])
})

test('a span has margins: a second on both sides for recordings, 300 ms before and 400 ms after for live use', () => {
  const line = silence(40) + speech(20) + silence(40)
  for (const margins of [WIDE, NARROW]) {
    const [span] = spansOf(line, { margins })
    expect(span!.fromSample).toBe(40 * FRAME - margins.before)
    expect(span!.toSample).toBe(60 * FRAME + margins.after)
  }
  expect([WIDE, NARROW]).toEqual([
    { before: 16_000, after: 16_000 },
    { before: 4800, after: 6400 },
  ])
})

test('margins stop at the ends of the recording', () => {
  const [span] = spansOf(`..${speech(20)}..`)
  expect([span!.fromSample, span!.toSample]).toEqual([0, 24 * FRAME])
})

test('a dip within a word does not end a span; a pause does, and its neighbours share it', () => {
  const spans = spansOf(speech(20) + silence(5) + speech(20) + silence(10) + speech(20))
  expect(inFrames(spans)).toEqual([
    [0, 45],
    [55, 75],
  ])
  expect(spans[0]!.toSample).toBe(50 * FRAME)
  expect(spans[1]!.fromSample).toBe(50 * FRAME)
})

test('a knock alone is not speech; a short word near other speech is', () => {
  expect(spansOf(silence(40) + speech(5) + silence(40))).toEqual([])
  expect(inFrames(spansOf(speech(20) + silence(15) + speech(4) + silence(40)))).toEqual([
    [0, 20],
    [35, 39],
  ])
})

test('many knocks are not speech if none is near another or near speech', () => {
  const knocks = (speech(5) + silence(25)).repeat(6)
  expect(spansOf(knocks)).toEqual([])
  expect(inFrames(spansOf(speech(20) + silence(25) + knocks))).toEqual([[0, 20]])
  expect(inFrames(spansOf(knocks + speech(20)))).toEqual([[180, 200]])
})

test('speech without pauses is emitted every half minute', () => {
  const finder = createSpanFinder(10_000 * FRAME, WIDE)
  const emitted = finder.push(new Float32Array(3000).fill(0.9))
  expect(emitted.length).toBe(2)
  expect(emitted[0]!.speechToSample).toBe(emitted[1]!.speechFromSample)
})

test('the size of pushed pieces does not matter, and spans are ordered and do not overlap', () => {
  const anyLine = fc
    .array(fc.tuple(fc.constantFrom('#', '+', '.'), fc.integer({ min: 1, max: 60 })), { minLength: 1 })
    .map((parts) => parts.map(([sign, times]) => sign.repeat(times)).join(''))
  fc.assert(
    fc.property(anyLine, fc.integer({ min: 1, max: 50 }), (line, chunk) => {
      const spans = spansOf(line)
      expect(spansOf(line, { chunk })).toEqual(spans)
      for (const [index, span] of spans.entries()) {
        expect(span.fromSample).toBeLessThanOrEqual(span.speechFromSample)
        expect(span.speechFromSample).toBeLessThan(span.speechToSample)
        expect(span.speechToSample).toBeLessThanOrEqual(span.toSample)
        if (index > 0) expect(span.fromSample).toBeGreaterThanOrEqual(spans[index - 1]!.toSample)
      }
    }),
  )
})

test('quiet and loud speech are scaled to −20 dBFS, silence is not', () => {
  const tone = (rms: number) =>
    Float32Array.from({ length: 81_920 }, (_, i) => rms * Math.SQRT2 * Math.sin(i / 5))
  for (const rms of [0.5, 0.1, 0.001]) {
    expect(detectorGain([blockLevel(tone(rms))]) * rms).toBeCloseTo(0.1, 3)
  }
  expect(detectorGain([blockLevel(tone(0.0001))])).toBe(1)
  expect(detectorGain([blockLevel(new Float32Array(81_920)), 0])).toBe(1)
})

test('the level is that of the voice, not of a bumped table, wind or a DC offset', () => {
  const voice = (i: number) => 0.01 * Math.SQRT2 * Math.sin(i / 5)
  const sounds: Record<string, (i: number) => number> = {
    bump: (i) => (i > 30_000 && i < 40_000 ? 0.5 * Math.sin((i * 2 * Math.PI * 25) / 16_000) : 0),
    wind: (i) => 0.2 * Math.sin((i * 2 * Math.PI * 18) / 16_000 + 1),
    zero: () => 0.3,
  }
  for (const sound of Object.values(sounds)) {
    const block = Float32Array.from({ length: 81_920 }, (_, i) => voice(i) + sound(i))
    expect(blockLevel(block)).toBeCloseTo(0.01, 2)
    expect(blockLevel(block.subarray(31_003, 36_003))).toBeCloseTo(0.01, 2)
  }
})

test('the level is that of a short word in a long silence, not of a click', () => {
  const block = new Float32Array(81_920)
  for (let i = 40_000; i < 45_000; i++) block[i] = 0.01 * Math.SQRT2 * Math.sin(i / 5)
  block[100] = 1
  expect(blockLevel(block)).toBeCloseTo(0.01, 2)
  expect(blockLevel(block.subarray(40_000, 40_251))).toBeCloseTo(0.01, 3)
  expect(blockLevel(new Float32Array(0))).toBe(0)
})
