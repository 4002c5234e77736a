// Parallel windows give the same result as sequential ones. The engine is scripted; the real one is in
// test/engine/whisper/model-side-by-side.test.ts.

import { expect, test } from 'bun:test'
import type { EngineInfo, WindowRequest, WindowTranscript } from '../../src/engine/engine.ts'
import { fail, type Result, succeed } from '../../src/lib/result.ts'
import { createWindowsInOrder, type WindowsJob } from '../../src/transcription/windows-in-order.ts'
import { until } from '../support/until.ts'
import { segment, span } from './spoken.ts'

const SECONDS = 2
const MODEL = { name: 'tiny', path: 'tiny.bin', bytes: 1, multilingual: true }

type Answer = Awaited<ReturnType<WindowsJob['engine']['transcribe']>>
type Requested = { name: string; request: WindowRequest; answer: (answer: Answer) => void }

const info = (windows: number): EngineInfo => ({
  ...{ name: 'by hand', version: '1', threads: 1, simd: 'none', maxModelBytes: 1, windows },
  ...{ secondPass: true, prompt: true, translate: true, wordTimes: true },
})

/** Window n starts at second 2n. A request is named after its window, with `draft` and its context. */
const open = (windows: number, language: string | null = 'en') => {
  const requests: Requested[] = []
  const given: string[] = []
  const stop = new AbortController()
  const inOrder = createWindowsInOrder({
    ...{ model: MODEL, language, task: 'transcribe', prompt: null, signal: stop.signal },
    read: async (from, to) => new Float32Array(to - from).fill(from / SECONDS / 16_000),
    engine: {
      info: () => info(windows),
      transcribe: (request) =>
        new Promise((answer) => {
          const context = request.secondPass ? ` after ${request.secondPass.previousText}` : ''
          const draft = request.draft ? ' draft' : ''
          requests.push({ name: `${request.samples[0]}${draft}${context}`, request, answer })
        }),
    },
    onTranscribed: (transcripts) =>
      given.push(transcripts.flatMap(({ segments }) => segments.map(({ text }) => text)).join('')),
  })
  const names = () => requests.map(({ name }) => name)
  const request = (name: string) =>
    until(async () => requests.find((one) => one.name === name), {
      what: () => `${name} among ${names().join(', ')}`,
    })
  const add = (n: number) => {
    const spans = [span(n * SECONDS + 0.3, (n + 1) * SECONDS - 0.4)]
    const ranges = [{ fromSample: n * SECONDS * 16_000, toSample: (n + 1) * SECONDS * 16_000 }]
    return inOrder.add({ ranges, spans }, () => {})
  }
  return { inOrder, requests, given, stop, names, request, add }
}

const says = (text: string, language = 'en'): Result<WindowTranscript, never> =>
  succeed({ language, languageProbability: 0.9, segments: text ? [segment(text, 0, 1800)] : [] })

test('transcribes the first window alone, then as many as the engine has slots', async () => {
  const { inOrder, add, request, names, given } = open(2)
  const added = (async () => {
    for (const n of [0, 1, 2, 3]) await add(n)
  })()
  const first = await request('0')
  expect(first.request.sideBySide).toBe(false)
  first.answer(says('zero'))
  const [one, two] = [await request('1 draft'), await request('2 draft')]
  expect(names()).toEqual(['0', '1 draft', '2 draft'])
  expect([one, two].map((requests) => requests.request.sideBySide)).toEqual([true, true])
  two.answer(says('two'))
  one.answer(says('one'))
  ;(await request('2 after zero one')).answer(says('two'))
  expect(given).toEqual([' zero'])
  ;(await request('1 after zero')).answer(says('one'))
  ;(await request('3 draft')).answer(says('three'))
  ;(await request('3 after zero one two')).answer(says('three'))
  await added
  expect(await inOrder.end()).toEqual(succeed(null))
  expect(given).toEqual([' zero', ' one', ' two', ' three'])
})

test('transcribes a window again if it was started without context and an earlier one has text', async () => {
  const { inOrder, add, request, names } = open(3)
  const first = add(0)
  ;(await request('0')).answer(says(''))
  await first
  await Promise.all([add(1), add(2)])
  const [one, two] = [await request('1'), await request('2')]
  two.answer(says('two'))
  one.answer(says('one'))
  ;(await request('2 draft')).answer(says('two'))
  ;(await request('2 after one')).answer(says('two'))
  expect(await inOrder.end()).toEqual(succeed(null))
  expect(names()).toEqual(['0', '1', '2', '2 draft', '2 after one'])
})

test('stops after a failure and returns the first one', async () => {
  const { inOrder, add, request, names, given } = open(3)
  const first = add(0)
  ;(await request('0')).answer(says('zero'))
  await first
  await Promise.all([add(1), add(2)])
  ;(await request('2 draft')).answer(fail({ code: 'engine_crashed', message: 'the later one' }))
  ;(await request('1 draft')).answer(fail({ code: 'engine_crashed', message: 'the earlier one' }))
  expect(await inOrder.end()).toMatchObject({ failure: { message: 'the earlier one' } })
  await add(3)
  expect([names().length, given]).toEqual([3, [' zero']])
})

test('emits nothing after a cancel', async () => {
  const { inOrder, add, request, stop, given } = open(3)
  const first = add(0)
  ;(await request('0')).answer(says('zero'))
  await first
  await Promise.all([add(1), add(2)])
  stop.abort()
  ;(await request('1 draft')).answer(says('one'))
  ;(await request('2 draft')).answer(says('two'))
  expect(await inOrder.end()).toMatchObject({ failure: { code: 'aborted' } })
  expect(given).toEqual([' zero'])
})
