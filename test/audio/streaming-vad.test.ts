import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSpeechDetector, type SpeechDetector } from '../../src/audio/speech-detector.ts'
import { createSpanFinder, NARROW } from '../../src/audio/speech-spans.ts'
import { samplesOf } from '../support/flac.ts'
import { until } from '../support/until.ts'

// Loading the model takes a second, more on a busy machine.
setDefaultTimeout(180_000)

const never = new AbortController().signal
const PIECE = 16 * 512
let detector: SpeechDetector

beforeAll(() => {
  detector = createSpeechDetector({ idleUnloadMs: () => 60_000 })
})
afterAll(() => detector.close())

/** The spans that a follower finds in a recording that it receives in pieces of half a second; in seconds. */
async function spansWhileFed(samples: Float32Array, afterPiece = async (_piece: number) => {}) {
  const follower = detector.follow({ signal: never })
  const finder = createSpanFinder(samples.length, NARROW)
  const spans = []
  for (let start = 0; start < samples.length; start += PIECE) {
    const followed = await follower.follow(samples.subarray(start, start + PIECE))
    if (!followed.ok) throw new Error(followed.failure.message)
    spans.push(...finder.push(followed.value))
    await afterPiece(start / PIECE)
  }
  return [...spans, ...finder.finish()].map(({ speechFromSample, speechToSample }) => ({
    from: speechFromSample / 16_000,
    to: speechToSample / 16_000,
  }))
}

test('finds the same speech in a stream as in the whole recording, within a tenth of a second', async () => {
  const samples = await samplesOf('paragraph-1.flac')
  const path = join(tmpdir(), `follower-test-${crypto.randomUUID()}.pcm`)
  await Bun.write(path, samples)
  const whole = []
  try {
    for await (const span of detector.spans({ path, samples: samples.length }, { signal: never })) {
      if (!span.ok) throw new Error(span.failure.message)
      whole.push({ from: span.value.speechFromSample / 16_000, to: span.value.speechToSample / 16_000 })
    }
  } finally {
    await Bun.file(path).delete()
  }
  const fed = await spansWhileFed(samples)
  expect(fed.length).toBe(whole.length)
  for (const [index, { from, to }] of whole.entries()) {
    expect(Math.abs(fed[index]!.from - from)).toBeLessThan(0.1)
    expect(Math.abs(fed[index]!.to - to)).toBeLessThan(0.1)
  }
})

test('detects a quiet voice, and nothing in other sounds', async () => {
  const quiet = await spansWhileFed(await samplesOf('quiet-40db.flac'))
  expect(quiet.reduce((sum, { from, to }) => sum + to - from, 0)).toBeGreaterThan(4)
  expect(await spansWhileFed(await samplesOf('nothing-white-noise.flac'))).toEqual([])
  expect(await spansWhileFed(await samplesOf('nothing-hum.flac'))).toEqual([])
})

test("continues when the detector's process is killed", async () => {
  const samples = await samplesOf('human-3.flac')
  const undisturbed = await spansWhileFed(samples)
  const disturbed = await spansWhileFed(samples, async (piece) => {
    const { pid } = detector.info()
    if (piece !== 2 || pid === null) return
    process.kill(pid, 'SIGKILL')
    await until(() => detector.info().pid !== pid)
  })
  expect(disturbed).toEqual(undisturbed)
})

test('is cancelled at once', async () => {
  const stop = new AbortController()
  const follower = detector.follow({ signal: stop.signal })
  const answer = follower.follow(new Float32Array(PIECE))
  stop.abort()
  expect(await answer).toMatchObject({ ok: false, failure: { code: 'aborted' } })
})
