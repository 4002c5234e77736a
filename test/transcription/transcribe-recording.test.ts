// Uses a scripted engine and detector. The real ones: test/speech.test.ts, test/audio/speech-detector.test.ts.

import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SpeechDetector } from '../../src/audio/speech-detector.ts'
import type { SpeechSpan } from '../../src/audio/speech-spans.ts'
import type {
  EngineFailure,
  EngineInfo,
  Segment,
  WindowRequest,
  WindowTranscript,
} from '../../src/engine/engine.ts'
import { fail, type Result, succeed } from '../../src/lib/result.ts'
import { createTranscriber, type TranscriptionRequest } from '../../src/transcription/transcribe-recording.ts'
import { segment, span } from './spoken.ts'

const folder = await mkdtemp(join(tmpdir(), 'transcriber test '))
afterAll(() => rm(folder, { recursive: true, force: true }))

const MODEL = { name: 'tiny', path: 'tiny.bin', bytes: 1, multilingual: true }

const engineInfo = (secondPass: boolean): EngineInfo => ({
  ...{ name: 'by hand', version: '1', threads: 1, simd: 'none', maxModelBytes: 1 },
  ...{ secondPass, prompt: true, translate: true, wordTimes: true },
})

type Answer = (request: WindowRequest, call: number) => Result<WindowTranscript, EngineFailure>

const says =
  (...segments: Segment[]): Answer =>
  () =>
    succeed({ language: 'en', languageProbability: 0.7, segments })

/** A transcriber of a silent recording with the given spans and engine responses. */
async function recordingWith(options: {
  seconds: number
  spans: SpeechSpan[]
  answer: Answer
  /** @default false */
  secondPass?: boolean
}) {
  const path = join(folder, crypto.randomUUID())
  const samples = options.seconds * 16_000
  await Bun.write(path, new Float32Array(samples))
  const requests: WindowRequest[] = []
  const disposed = { times: 0 }
  const pcm = {
    path,
    samples,
    durationMs: options.seconds * 1000,
    decodeMs: 7,
    playsAlike: true,
    warnings: [],
    dispose: async () => {
      disposed.times++
    },
  }
  const detector: Pick<SpeechDetector, 'spans'> = {
    async *spans(_pcm, { signal }) {
      for (const found of options.spans) {
        if (signal.aborted) return yield fail({ code: 'aborted' as const, message: 'Stopped.' })
        yield succeed(found)
      }
    },
  }
  const transcriber = createTranscriber({
    decoder: { decode: async () => succeed(pcm) },
    detector,
    engine: {
      info: () => engineInfo(options.secondPass ?? false),
      async transcribe(request) {
        requests.push(request)
        request.onProgress?.(0.5)
        return options.answer(request, requests.length)
      },
    },
  })
  const transcribe = (more: Partial<TranscriptionRequest> = {}) =>
    transcriber.transcribe({
      path,
      kind: { format: 'wav', mediaType: 'audio/wav', extension: 'wav' },
      model: MODEL,
      language: null,
      task: 'transcribe',
      prompt: null,
      signal: new AbortController().signal,
      ...more,
    })
  return { transcribe, requests, disposed }
}

/** Enough text for the 24 s of speech in a window: less would be transcribed again. */
const FIRST =
  'The first part is as long as what somebody says in twenty seconds, for a recogniser that writes only a word or two for so much speech has passed most of it over.'
const SECOND =
  'And the second part is no shorter than the first, since the detector has found just as much speech in it, and here as well every bit of that has to end up in the text.'

const longSpans = [span(1, 14), span(15, 26), span(100, 110), span(111, 121)]

test('joins windows to one text on the clock of the recording', async () => {
  const { transcribe, requests, disposed } = await recordingWith({
    seconds: 130,
    spans: longSpans,
    answer: (_request, call) => says(segment(call === 1 ? FIRST : SECOND, 300, 26_000))(_request, call),
  })
  const reported: Segment[] = []
  const progress: number[] = []
  const result = await transcribe({
    onSegment: (found) => reported.push(found),
    onProgress: (fraction) => progress.push(fraction),
  })
  if (!result.ok) throw new Error(result.failure.message)
  const { text, segments, language, languageProbability, durationMs, processingMs } = result.value
  expect(text).toBe(`${FIRST} ${SECOND}`)
  expect(segments.map(({ startMs }) => startMs)).toEqual([920, 99_920])
  expect(reported).toEqual(segments)
  expect([language, languageProbability, durationMs, processingMs.decode]).toEqual(['en', 0.7, 130_000, 7])
  expect(progress).toEqual(progress.toSorted((a, b) => a - b))
  expect(progress.at(-1)).toBe(1)
  expect(requests.map(({ samples }) => samples.length <= 28 * 16_000)).toEqual([true, true])
  expect(requests.map((request) => request.language)).toEqual([null, 'en'])
  expect(disposed.times).toBe(1)
})

describe('a window that follows other text is transcribed twice', () => {
  const MISHEARD = SECOND.replace('detector', 'the tractor')
  const first = says(segment(FIRST, 300, 26_000))
  const misheard = says(segment(MISHEARD, 300, 26_000))
  const answers =
    (...calls: Answer[]): Answer =>
    (request, call) =>
      calls[call - 1]!(request, call)
  const inTwoWindows = (answer: Answer, secondPass = true) =>
    recordingWith({ seconds: 130, spans: longSpans, answer, secondPass })

  test('on its own, then with the preceding text, which corrects its words', async () => {
    const answer = answers(
      first,
      misheard,
      says(segment(`${SECOND} And more, and more, and more.`, 0, 26_000)),
    )
    const { transcribe, requests } = await inTwoWindows(answer)
    const progress: number[] = []
    const result = await transcribe({ onProgress: (fraction) => progress.push(fraction) })
    expect(result).toMatchObject({ ok: true, value: { text: `${FIRST} ${SECOND}` } })
    expect(requests.map(({ secondPass, language }) => [secondPass, language])).toEqual([
      [undefined, null],
      [undefined, 'en'],
      [{ previousText: FIRST }, 'en'],
    ])
    expect(requests[2]!.samples).toEqual(requests[1]!.samples)
    expect(progress).toEqual(progress.toSorted((a, b) => a - b))
  })

  test('with the first-pass text as context, not the corrected one', async () => {
    const third = says(segment(FIRST, 300, 26_000))
    const { transcribe, requests } = await recordingWith({
      ...{ seconds: 230, secondPass: true, spans: [...longSpans, span(200, 210), span(211, 221)] },
      answer: answers(first, misheard, says(segment(SECOND, 0, 26_000)), third, third),
    })
    expect(await transcribe()).toMatchObject({ value: { text: `${FIRST} ${SECOND} ${FIRST}` } })
    expect(requests.at(-1)!.secondPass).toEqual({ previousText: `${FIRST} ${MISHEARD}` })
  })

  test('with only the end of a long context', async () => {
    const long = `${FIRST} `.repeat(7).trim()
    const { transcribe, requests } = await inTwoWindows(
      answers(says(segment(long, 300, 26_000)), misheard, misheard),
    )
    await transcribe()
    const { previousText } = requests[2]!.secondPass!
    expect(previousText.length).toBeLessThanOrEqual(1000)
    expect(previousText.length).toBeGreaterThan(980)
    expect(long.endsWith(` ${previousText}`)).toBe(true)
  })

  test('with the requested prompt in both passes', async () => {
    const { transcribe, requests } = await inTwoWindows(answers(first, misheard, misheard))
    await transcribe({ prompt: 'Mr Tuckett' })
    expect(requests.map(({ prompt }) => prompt)).toEqual(['Mr Tuckett', 'Mr Tuckett', 'Mr Tuckett'])
  })

  test('and captions and text after the end change nothing', async () => {
    const caption = segment(SECOND.replace('detector', '[Music]'), 0, 26_000)
    const late = segment('Thanks for watching.', 29_000, 30_000)
    const { transcribe } = await inTwoWindows(
      answers(first, says(segment(SECOND, 300, 26_000)), says(caption, late)),
    )
    expect(await transcribe()).toMatchObject({ value: { text: `${FIRST} ${SECOND}` } })
  })

  test('but not by an engine without a second pass, and not for translation', async () => {
    const other = await inTwoWindows(answers(first, misheard), false)
    expect(await other.transcribe()).toMatchObject({ value: { text: `${FIRST} ${MISHEARD}` } })
    const translated = await inTwoWindows(answers(first, misheard))
    expect(await translated.transcribe({ task: 'translate' })).toMatchObject({
      value: { text: `${FIRST} ${MISHEARD}` },
    })
    expect([other.requests.length, translated.requests.length]).toEqual([2, 2])
  })

  test('and keeps the first result if the second pass fails', async () => {
    const breaks: Answer = () => fail({ code: 'engine_crashed', message: 'It died.' })
    const { transcribe } = await inTwoWindows(answers(first, misheard, breaks))
    expect(await transcribe()).toMatchObject({ ok: true, value: { text: `${FIRST} ${MISHEARD}` } })
  })

  test('and fails if cancelled during the second pass', async () => {
    const stop = new AbortController()
    const stops: Answer = () => {
      stop.abort()
      return fail({ code: 'aborted', message: 'Stopped.' })
    }
    const { transcribe } = await inTwoWindows(answers(first, misheard, stops))
    expect(await transcribe({ signal: stop.signal })).toMatchObject({
      ok: false,
      failure: { code: 'aborted' },
    })
  })
})

describe('language detection', () => {
  const spans = [span(1, 5), span(6, 10), span(11, 15)]
  const inLanguages = (...languages: string[]): Answer => {
    const detected = languages.map((language) => ({ language, languageProbability: 0.95 }))
    return ({ language, parts, samples }) =>
      parts && !languages.every((one) => one === language)
        ? succeed({ language: 'es', languageProbability: 0.6, segments: [], languages: detected })
        : succeed({
            ...{ language: language ?? '?', languageProbability: null },
            segments: [segment(FIRST, 300, samples.length / 16)],
          })
  }

  test('transcribes each part of a window in its own language, which each segment reports', async () => {
    const { transcribe, requests } = await recordingWith({
      ...{ seconds: 20, spans, secondPass: true },
      answer: inLanguages('es', 'es', 'en'),
    })
    const progress: number[] = []
    const result = await transcribe({ onProgress: (fraction) => progress.push(fraction) })
    if (!result.ok) throw new Error(result.failure.message)
    const { segments, language, languageProbability } = result.value
    expect(segments.map((one) => one.language)).toEqual(['es', 'en'])
    expect([language, languageProbability]).toEqual(['es', 0.95])
    expect(requests.map(({ language: requested, parts }) => [requested, parts?.length])).toEqual([
      [null, 3],
      ['es', undefined],
      ['en', undefined],
    ])
    // Text in another language is never used as context.
    expect(requests.some(({ secondPass }) => secondPass)).toBe(false)
    expect(progress).toEqual(progress.toSorted((a, b) => a - b))
  })

  test('still runs in every window once the language is settled', async () => {
    const { transcribe, requests } = await recordingWith({
      ...{ seconds: 130, spans: longSpans },
      answer: says(segment(FIRST, 300, 26_000)),
    })
    await transcribe()
    expect(requests.map(({ language, parts }) => [language, parts?.length])).toEqual([
      [null, 2],
      ['en', 2],
    ])
  })

  test('does not run for a requested language', async () => {
    const { transcribe, requests } = await recordingWith({
      ...{ seconds: 20, spans },
      answer: inLanguages('es', 'es', 'en'),
    })
    const result = await transcribe({ language: 'es' })
    expect(requests.map(({ language, parts }) => [language, parts])).toEqual([['es', undefined]])
    expect(result).toMatchObject({ ok: true, value: { segments: [{ language: 'es' }] } })
  })
})

test('a recording without speech results in an empty transcript and never reaches the engine', async () => {
  const { transcribe, requests } = await recordingWith({
    seconds: 5,
    spans: [],
    answer: says(segment('you', 0, 500)),
  })
  expect(await transcribe()).toMatchObject({ ok: true, value: { text: '', segments: [], language: null } })
  expect(requests.length).toBe(0)
})

test('less than a tenth of a second results in an empty transcript', async () => {
  const { transcribe, requests } = await recordingWith({
    seconds: 0.05,
    spans: [span(0, 0.05)],
    answer: says(),
  })
  expect(await transcribe()).toMatchObject({ ok: true, value: { text: '' } })
  expect(requests.length).toBe(0)
})

test('transcribes everything in windows if speech detection is off', async () => {
  const { transcribe, requests } = await recordingWith({
    seconds: 70,
    spans: [],
    answer: says(segment('Good morning.', 500, 2000)),
  })
  const result = await transcribe({ detectSpeech: false })
  expect(result.ok && result.value.segments.length).toBe(requests.length)
  const transcribed = requests.reduce((sum, { samples }) => sum + samples.length, 0)
  expect(transcribed).toBe(70 * 16_000)
})

test('passes the preferences to the engine', async () => {
  const { transcribe, requests } = await recordingWith({ seconds: 5, spans: [span(1, 3)], answer: says() })
  const preferences = { languages: ['de', 'fr'], noSpeechThreshold: 0.4 }
  await transcribe({ preferences })
  expect(requests[0]?.preferences).toEqual(preferences)
})

test('drops captions and segments that begin after the end of the window', async () => {
  const { transcribe } = await recordingWith({
    seconds: 5,
    spans: [span(1, 3)],
    answer: says(
      segment('(dog barking)', 0, 500),
      segment('Good [Music] morning.', 500, 2000),
      segment('Thanks for watching!', 9000, 9900),
    ),
  })
  expect(await transcribe()).toMatchObject({ ok: true, value: { text: 'Good morning.' } })
})

test('transcribes a window with a loop again in halves', async () => {
  const loop = segment('and then we go '.repeat(8).trim(), 0, 9000)
  const { transcribe, requests } = await recordingWith({
    seconds: 12,
    spans: [span(0.5, 5), span(6, 11)],
    answer: (request, call) =>
      says(call === 1 ? loop : segment(`This is all that half ${call} of it has to say.`, 0, 6000))(
        request,
        call,
      ),
  })
  expect(await transcribe()).toMatchObject({
    ok: true,
    value: { text: 'This is all that half 2 of it has to say. This is all that half 3 of it has to say.' },
  })
  expect(requests.length).toBe(3)
})

test('cuts a loop that repeats in the halves', async () => {
  const { transcribe } = await recordingWith({
    seconds: 12,
    spans: [span(0.5, 5), span(6, 11)],
    answer: says(segment('and then we go '.repeat(8).trim(), 0, 4000)),
  })
  expect(await transcribe()).toMatchObject({ ok: true, value: { text: 'and then we go and then we go' } })
})

test('transcribes a window with missed speech again in halves until none is missed', async () => {
  const spans = [span(0.5, 4), span(5, 8.5), span(10, 13.5), span(15, 18.5)]
  const sentences = [
    'My telephone number is 555.',
    'Turn on the light in the kitchen.',
    'Add milk and bread to the list.',
    'Please close the kitchen door.',
  ]
  const { transcribe, requests } = await recordingWith({
    seconds: 20,
    spans,
    // As Whisper does: it stops at a number, and the segment extends to the end of the audio.
    answer: (request, call) => {
      const seconds = request.samples.length / 16_000
      const found = seconds > 12 ? [sentences[0]!] : call === 2 ? sentences.slice(0, 2) : sentences.slice(2)
      const each = (seconds * 1000) / found.length
      return says(...found.map((text, index) => segment(text, index * each, (index + 1) * each)))(
        request,
        call,
      )
    },
  })
  expect(await transcribe()).toMatchObject({ ok: true, value: { text: sentences.join(' ') } })
  expect(requests.length).toBe(3)
})

test('keeps the result of the whole window if the halves have no more text', async () => {
  const { transcribe } = await recordingWith({
    seconds: 20,
    spans: [span(0.5, 9), span(11, 18.5)],
    answer: (request, call) =>
      says(segment(call === 1 ? 'Well, thank you very much, all of you.' : 'No.', 0, 18_000))(request, call),
  })
  expect(await transcribe()).toMatchObject({
    ok: true,
    value: { text: 'Well, thank you very much, all of you.' },
  })
})

test('splits a segment at a skipped silence', async () => {
  const { transcribe } = await recordingWith({
    seconds: 120,
    spans: [span(1, 3), span(100, 102)],
    answer: says(segment('One two three, four five six.', 300, 5000)),
  })
  const result = await transcribe()
  if (!result.ok) throw new Error(result.failure.message)
  expect(result.value.segments.map(({ text, startMs }) => [text.trim(), startMs])).toEqual([
    ['One two three,', 920],
    ['four five six.', 99_920],
  ])
})

test('returns a failure of the engine with its code and removes the samples', async () => {
  const { transcribe, disposed } = await recordingWith({
    seconds: 5,
    spans: [span(1, 3)],
    answer: () => fail({ code: 'engine_crashed', message: 'It died.' }),
  })
  expect(await transcribe()).toEqual({ ok: false, failure: { code: 'engine_crashed', message: 'It died.' } })
  expect(disposed.times).toBe(1)
})

test('returns a failure of the decoder', async () => {
  const failure = { code: 'undecodable_audio' as const, message: 'No.' }
  const transcriber = createTranscriber({
    decoder: { decode: async () => fail(failure) },
    detector: { spans: () => expect.unreachable() },
    engine: { info: () => expect.unreachable(), transcribe: () => expect.unreachable() },
  })
  const kind = { format: 'wav', mediaType: 'audio/wav', extension: 'wav' }
  const signal = new AbortController().signal
  const request = {
    path: 'x',
    kind,
    model: MODEL,
    language: null,
    task: 'transcribe' as const,
    prompt: null,
    signal,
  }
  expect(await transcriber.transcribe(request)).toEqual({ ok: false, failure })
})

test('reports nothing after a cancel, even if the engine finished its window', async () => {
  const stop = new AbortController()
  const { transcribe, requests } = await recordingWith({
    seconds: 130,
    spans: longSpans,
    answer: (request, call) => {
      stop.abort()
      return says(segment(FIRST, 300, 26_000))(request, call)
    },
  })
  const reported: Segment[] = []
  const result = await transcribe({ signal: stop.signal, onSegment: (found) => reported.push(found) })
  expect(result).toMatchObject({ ok: false, failure: { code: 'aborted' } })
  expect([reported.length, requests.length]).toEqual([0, 1])
})
