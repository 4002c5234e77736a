import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PcmFile } from '../../src/audio/audio-file.ts'
import { readPcm } from '../../src/audio/pcm.ts'
import { createSpeechDetector, type SpeechDetector } from '../../src/audio/speech-detector.ts'
import type { SpeechSpan } from '../../src/audio/speech-spans.ts'
import { testAtLength } from '../support/at-length.ts'
import { commandOf, environmentOf, folderOf, isRunning } from '../support/children.ts'
import { recording, recordings } from '../support/speech.ts'
import { until } from '../support/until.ts'
import { createTestDecoder, SPEECH_FOLDER } from './decoded.ts'

// Loading the model takes a second, more on a busy machine.
setDefaultTimeout(180_000)

const never = new AbortController().signal
const decoders = await createTestDecoder()
const folder = await mkdtemp(join(tmpdir(), 'speech test '))
let detector: SpeechDetector

beforeAll(() => {
  detector = createSpeechDetector({ idleUnloadMs: () => 60_000 })
})
afterAll(async () => {
  await detector.close()
  await decoders[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

async function decoded(file: string): Promise<PcmFile> {
  const result = await decoders.decodeFile(join(SPEECH_FOLDER, file))
  if (!result.ok) throw new Error(result.failure.message)
  return result.value
}

/** A synthetic sound as a decoded recording. */
async function sound(seconds: number, sampleAt: (time: number) => number): Promise<PcmFile> {
  const samples = Float32Array.from({ length: seconds * 16_000 }, (_, i) => sampleAt(i / 16_000))
  const path = join(folder, crypto.randomUUID())
  await Bun.write(path, samples)
  return {
    path,
    samples: samples.length,
    durationMs: seconds * 1000,
    decodeMs: 0,
    playsAlike: true,
    warnings: [],
    dispose: () => rm(path),
  }
}

async function spansIn(pcm: PcmFile, { using = detector, signal = never } = {}): Promise<SpeechSpan[]> {
  const spans: SpeechSpan[] = []
  for await (const span of using.spans(pcm, { signal })) {
    if (!span.ok) throw new Error(`${span.failure.code}: ${span.failure.message}`)
    spans.push(span.value)
  }
  return spans
}

const inSeconds = (spans: SpeechSpan[]) =>
  spans.map(({ fromSample, toSample }) => ({ from: fromSample / 16_000, to: toSample / 16_000 }))

describe('finds speech in', () => {
  const clips = recordings.filter(({ file, pieces }) => /^(human|short|noise|quiet)-/.test(file) && !pieces)
  for (const { file, seconds } of clips) {
    test(file, async () => {
      const spans = await spansIn(await decoded(file))
      const spoken = inSeconds(spans).reduce((sum, { from, to }) => sum + to - from, 0)
      expect(spoken).toBeGreaterThan(seconds * 0.75)
    })
  }

  test('a voice of −60 dBFS while someone blows into the microphone', async () => {
    const voice = await decoded('human-2.flac')
    const samples = await readPcm(voice, 0, voice.samples)
    const blown = await sound(samples.length / 16_000, (time) => {
      const blow = Math.sin(Math.PI * ((time % 1.5) / 0.5)) * Number(time % 1.5 < 0.5)
      return 0.015 * samples[Math.round(time * 16_000)]! + 0.7 * blow * Math.sin(2 * Math.PI * 15 * time)
    })
    const spoken = inSeconds(await spansIn(blown)).reduce((sum, { from, to }) => sum + to - from, 0)
    expect(spoken).toBeGreaterThan(0.9 * (samples.length / 16_000))
  })

  test('after-8s-of-silence.flac only after the silence, except for the margin', async () => {
    const spans = inSeconds(await spansIn(await decoded('after-8s-of-silence.flac')))
    expect(spans.length).toBeGreaterThan(0)
    expect(spans[0]!.from).toBeGreaterThan(6.9)
    expect(spans.at(-1)!.to).toBeLessThan(15)
  })

  for (const file of ['paragraph-1.flac', 'paragraph-2.flac', 'long-3-minutes.flac']) {
    test(`every piece of ${file}`, async () => {
      const spans = inSeconds(await spansIn(await decoded(file)))
      for (const { start, end } of recording(file).pieces!) {
        const covered = spans.reduce(
          (sum, { from, to }) => sum + Math.max(0, Math.min(to, end) - Math.max(from, start)),
          0,
        )
        expect(covered / (end - start)).toBeGreaterThan(0.9)
      }
    })
  }
})

describe('finds no speech in', () => {
  for (const { file } of recordings.filter(({ text }) => text === '')) {
    test(file, async () => expect(await spansIn(await decoded(file))).toEqual([]))
  }

  const noise = () => Math.random() * 2 - 1
  const tone = (hz: number, time: number) => Math.sin(2 * Math.PI * hz * time)
  const sounds: Record<string, (time: number) => number> = {
    'an alarm clock': (time) =>
      time % 1 < 0.5 && (time * 8) % 1 < 0.5 ? 0.4 * Math.sign(tone(2000, time)) : 0,
    'a two-tone siren': (time) => 0.4 * tone(time % 0.5 < 0.25 ? 880 : 660, time),
    'a drum loop': (time) => {
      const drum = tone(60, time % 0.5) * Math.exp(-12 * (time % 0.5))
      return 0.5 * drum + 0.3 * noise() * Math.exp(-25 * ((time + 0.25) % 0.5))
    },
    rain: () => 0.05 * noise(),
    typing: (time) => 0.4 * noise() * Math.exp(-400 * (time % 0.17)),
    'the last bit of a converter': () => noise() / 32_768,
  }
  for (const [name, sampleAt] of Object.entries(sounds)) {
    test(name, async () => expect(await spansIn(await sound(6, sampleAt))).toEqual([]))
  }

  test('a recording of one sample', async () =>
    expect(await spansIn(await sound(1 / 16_000, () => 0.5))).toEqual([]))
  test('an empty recording', async () => expect(await spansIn(await sound(0, () => 0))).toEqual([]))
})

describe('the detector process', () => {
  test('is replaced when it is killed, and no speech is lost', async () => {
    const pcm = { ...(await decoded('long-3-minutes.flac')), samples: 70 * 16_000 }
    const undisturbed = await spansIn(pcm)
    const disturbed: SpeechSpan[] = []
    for await (const span of detector.spans(pcm, { signal: never })) {
      if (!span.ok) throw new Error(span.failure.message)
      if (disturbed.length === 0) process.kill(detector.info().pid!, 'SIGKILL')
      disturbed.push(span.value)
    }
    expect(disturbed).toEqual(undisturbed)
  })

  test('fails only the recording in progress when it dies, not those that wait', async () => {
    const pcm = { ...(await decoded('long-3-minutes.flac')), samples: 30 * 16_000 }
    const killed = createSpeechDetector({ idleUnloadMs: () => 60_000 })
    await killed.warm()
    const outcomes = ['first', 'second', 'third'].map(async () => {
      for await (const span of killed.spans(pcm, { signal: never })) if (!span.ok) return span.failure.code
      return 'detected'
    })
    for (const start of [1, 2]) {
      const isRestarted = () => killed.info().starts === start && killed.info().state === 'ready'
      await until(isRestarted, { timeoutMs: 60_000, what: `process ${start}` })
      process.kill(killed.info().pid!, 'SIGKILL')
    }
    expect(await Promise.all(outcomes)).toEqual(['speech_detector_failed', 'detected', 'detected'])
    await killed.close()
  })

  test.skipIf(process.platform !== 'linux')(
    'gets no environment variables, no packages from elsewhere and no folder with settings',
    async () => {
      await detector.warm()
      const pid = detector.info().pid!
      // Except the channel to its parent and the variables that Bun sets for its own children.
      const given = environmentOf(pid).filter((name) => !/^(NODE|BUN)_/.test(name))
      expect(given).toEqual([])
      expect(commandOf(pid)).toContain('--no-install')
      expect(folderOf(pid)).toBe(join(import.meta.dir, '../../src/audio'))
    },
  )

  test('ignores the signals that Ctrl-C sends to the whole process group', async () => {
    const pcm = await decoded('short-09.flac')
    await detector.warm()
    const { pid, starts } = detector.info()
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(pid!, signal)
    expect((await spansIn(pcm)).length).toBe(1)
    expect(detector.info()).toMatchObject({ pid, starts })
  })

  test('ends on unload and is started again on demand', async () => {
    await detector.warm()
    const { pid, starts } = detector.info()
    expect(isRunning(pid!)).toBe(true)
    await detector.unload()
    expect(isRunning(pid!)).toBe(false)
    expect(detector.info().state).toBe('unloaded')
    expect((await spansIn(await decoded('short-09.flac'))).length).toBe(1)
    expect(detector.info().starts).toBe(starts + 1)
  })

  test('ends when it has been idle', async () => {
    const idle = createSpeechDetector({ idleUnloadMs: () => 50 })
    await spansIn(await decoded('short-09.flac'), { using: idle })
    await until(() => idle.info().state === 'unloaded')
    await idle.close()
  })

  testAtLength('is replaced when it hangs', async () => {
    const pcm = await decoded('short-09.flac')
    const watched = createSpeechDetector({ idleUnloadMs: () => 60_000, answerWithinMs: 5000 })
    await watched.warm()
    process.kill(watched.info().pid!, 'SIGSTOP')
    expect((await spansIn(pcm, { using: watched })).length).toBe(1)
    expect(watched.info().starts).toBe(2)
    await watched.close()
  })

  test('serves several recordings at once with the same results as one at a time', async () => {
    const files = ['human-1.flac', 'paragraph-1.flac', 'quiet-40db.flac']
    const pcms = await Promise.all(files.map(decoded))
    const alone = []
    for (const pcm of pcms) alone.push(await spansIn(pcm))
    expect(await Promise.all(pcms.map((pcm) => spansIn(pcm)))).toEqual(alone)
  })
})

test('stops on request, however much of the recording is left', async () => {
  const pcm = await decoded('long-3-minutes.flac')
  const stop = new AbortController()
  const items = []
  for await (const span of detector.spans(pcm, { signal: stop.signal })) {
    items.push(span)
    stop.abort()
  }
  expect(items.at(-1)).toMatchObject({ ok: false, failure: { code: 'aborted' } })
  expect(items.length).toBeLessThan(15)
})

test('rejects work after close', async () => {
  const closed = createSpeechDetector({ idleUnloadMs: () => 1000 })
  await closed.close()
  const items = await Array.fromAsync(closed.spans(await decoded('short-09.flac'), { signal: never }))
  expect(items).toMatchObject([{ ok: false, failure: { code: 'speech_detector_failed' } }])
})

test('fails for a recording that cannot be read, and continues to work', async () => {
  const gone = { path: join(folder, 'gone'), samples: 16_000 }
  const items = await Array.fromAsync(detector.spans(gone, { signal: never }))
  expect(items).toMatchObject([{ ok: false, failure: { code: 'speech_detector_failed' } }])
  expect((await spansIn(await decoded('short-09.flac'))).length).toBe(1)
})
