// Uses a real dictionary and a scripted transcriber.

import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { createDictation, type DictationRequest } from '../../src/dictation/dictation.ts'
import type { Segment } from '../../src/engine/engine.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { silentLog } from '../../src/lib/log.ts'
import { fail, succeed } from '../../src/lib/result.ts'
import { DEFAULT_SETTINGS, type Settings } from '../../src/settings/settings.ts'
import { NEW_ENTRY } from '../../src/text/dictionary/entry.ts'
import type { TranscriptionRequest } from '../../src/transcription/transcribe-recording.ts'
import { openDictionary } from '../../src/writing/dictionary.ts'
import { createTokenCounters } from '../../src/writing/token-counter.ts'
import { said } from '../support/archive.ts'
import { createTestFolder } from '../support/database.ts'
import { bundledModel } from '../support/ggml.ts'
import { libraryPlace } from '../support/library.ts'

const folder = await createTestFolder()
const database = await folder.open()
const { dataFolder } = folder
const dictionary = await openDictionary(await libraryPlace({ database, dataFolder }))
afterAll(async () => {
  await dictionary.close()
  await database.close()
  await folder[Symbol.asyncDispose]()
})

let settings: Partial<Settings> = {}
let spoken: string[] = []
let spokenLanguage = 'de'
let requests: TranscriptionRequest[] = []
beforeEach(async () => {
  await dictionary.clear()
  settings = {}
  spoken = ['Hello.']
  spokenLanguage = 'de'
  requests = []
})

const segments = (silence = 0.01): Segment[] =>
  spoken.map((text, at) => ({
    ...{ startMs: at * 1000, endMs: at * 1000 + 900, text, avgLogprob: -0.2, noSpeechProb: silence },
    words: [],
  }))
let silence = 0.01

const dictation = createDictation({
  models: {
    resolve: async (name) =>
      name === 'missing'
        ? fail({ code: 'model_not_installed', message: 'It is not installed.' })
        : succeed({ ...bundledModel, name: name ?? bundledModel.name, multilingual: name === 'base' }),
  },
  transcriber: {
    async transcribe(request) {
      requests.push(request)
      for (const segment of segments(silence)) request.onSegment?.(segment)
      const language = request.model.multilingual ? (request.language ?? spokenLanguage) : 'en'
      return succeed(
        said(spoken.join(' '), { segments: segments(silence), language, model: request.model.name }),
      )
    },
  },
  dictionary,
  settings: { current: () => ({ ...DEFAULT_SETTINGS, ...settings }) },
  tokenCounters: createTokenCounters(),
  clock: systemClock,
  log: silentLog,
})

async function dictate(more: Partial<DictationRequest> = {}) {
  const streamed: string[] = []
  const result = await dictation.transcribe({
    ...{ path: '/nowhere', kind: { format: 'wav', mediaType: 'audio/wav', extension: 'wav' } },
    ...{ model: null, language: null, task: 'transcribe', prompt: null, applyDictionary: null },
    signal: new AbortController().signal,
    onSegment: ({ text }) => streamed.push(text),
    ...more,
  })
  if (!result.ok) throw new Error(result.failure.message)
  return { ...result.value, streamed, request: requests.at(-1)! }
}

const teach = (entry: object) => dictionary.create({ ...NEW_ENTRY, ...entry } as never)

describe('the dictionary', () => {
  test('inserts the clipboard of the request, in the stream too, and warns without one', async () => {
    await teach({ type: 'snippet', word: 'my link', replacement: '<{{clipboard}}>' })
    spoken = ['See my link.']
    const given = await dictate({ clipboard: () => 'https://example.com' })
    expect([given.text, given.streamed, given.warnings]).toEqual([
      'See <https://example.com>.',
      ['See <https://example.com>.'],
      [],
    ])
    const none = await dictate()
    expect([none.text, none.warnings.map(({ code }) => code)]).toEqual(['See <>.', ['clipboard_unknown']])
  })

  test('warns about patterns that take too long', async () => {
    for (const letter of 'abcdefghij')
      await teach({ type: 'replacement', word: `${letter}(.*END)?`, replacement: 'x', isRegex: true })
    spoken = ['abcdefghij '.repeat(20_000)]
    const { warnings } = await dictate()
    expect(warnings).toMatchObject([
      { code: 'dictionary_too_slow', message: expect.stringContaining('Simplify') },
    ])
  })

  test('rewrites text, segments and stream, but not the engine text', async () => {
    await teach({ type: 'replacement', word: 'pg boss', replacement: 'pg-boss' })
    spoken = ['We use PG boss here.', 'It is fine.']
    const result = await dictate()
    expect(result.text).toBe('We use pg-boss here. It is fine.')
    expect(result.segments.map(({ text }) => text)).toEqual(['We use pg-boss here.', 'It is fine.'])
    expect(result.streamed).toEqual(['We use pg-boss here.', 'It is fine.'])
    expect([result.engineText, result.corrections]).toEqual(['We use PG boss here. It is fine.', 1])
    expect(dictionary.list()[0]).toMatchObject({ usageCount: 1 })
  })

  test('is not applied if the request or the settings disable it', async () => {
    await teach({ type: 'replacement', word: 'hello', replacement: 'Good day' })
    expect((await dictate({ applyDictionary: false })).text).toBe('Hello.')
    settings = { applyDictionary: false }
    expect((await dictate()).text).toBe('Hello.')
    expect((await dictate({ applyDictionary: true })).text).toBe('Good day.')
  })

  test('appends its terms to the prompts of settings and request', async () => {
    await teach({ type: 'term', word: 'Kubernetes' })
    settings = { initialPrompt: 'Minutes of a meeting.' }
    const { prompt } = (await dictate({ prompt: 'With Ada.' })).request
    expect(prompt).toBe('Minutes of a meeting. With Ada. Kubernetes.')
    expect((await dictate({ prompt: 'With Ada.', applyDictionary: false })).request.prompt).toBe(
      'Minutes of a meeting. With Ada.',
    )
  })

  test('never exceeds the token limit of the prompt', async () => {
    const words = Array.from({ length: 400 }, (_, number) => `Zyxwvut${number}`)
    await dictionary.import(
      words.map((word, at) => ({ line: at + 1, type: 'term' as const, word })),
      'merge',
    )
    const { prompt } = (await dictate()).request
    const count = createTokenCounters()(bundledModel)
    expect(count(` ${prompt}`)).toBeLessThanOrEqual(223)
    expect(count(` ${prompt}`)).toBeGreaterThan(180)
  })
})

describe('an echo of the prompt', () => {
  beforeEach(async () => {
    for (const word of ['Kubernetes', 'Grafana', 'Zürich']) await teach({ type: 'term', word })
    silence = 0.01
  })

  test('results in an empty transcript, in the stream too', async () => {
    spoken = ['Kubernetes, Grafana, Zürich.']
    expect(await dictate()).toMatchObject({ text: '', segments: [], engineText: '', streamed: [] })
  })

  test('followed by speech is kept, in the stream too', async () => {
    spoken = ['Kubernetes, Grafana, Zürich.', 'All three are on the list.']
    const result = await dictate()
    expect(result.streamed).toEqual(spoken)
    expect(result.text).toBe(spoken.join(' '))
  })

  test('of a single term is kept unless the audio is silent', async () => {
    spoken = ['Kubernetes.']
    expect((await dictate()).text).toBe('Kubernetes.')
    silence = 0.9
    expect((await dictate()).text).toBe('')
  })
})

describe('the settings', () => {
  test('set candidate languages, the no-speech threshold and speech detection', async () => {
    settings = { languages: ['de', 'fr'], noSpeechThreshold: 0.4, vadEnabled: false }
    expect((await dictate()).request).toMatchObject({
      preferences: { languages: ['de', 'fr'], noSpeechThreshold: 0.4 },
      detectSpeech: false,
    })
  })

  test('the candidate languages of a request override those of the settings', async () => {
    settings = { languages: ['de', 'fr'] }
    const { request } = await dictate({ languages: ['it', 'en'] })
    expect(request.preferences).toMatchObject({ languages: ['it', 'en'] })
  })

  test('warns about an unsupported language, but not if one of several candidates is supported', async () => {
    const codesOf = async (more: Partial<DictationRequest> = {}) =>
      (await dictate(more)).warnings.map(({ code }) => code)
    expect(await codesOf({ language: 'de' })).toEqual(['language_ignored'])
    expect(await codesOf({ language: 'en' })).toEqual([])
    expect(await codesOf({ model: 'base', language: 'de' })).toEqual([])
    settings = { languages: ['de', 'fr'] }
    expect(await codesOf()).toEqual(['language_ignored'])
    settings = { languages: ['de', 'en'] }
    expect(await codesOf()).toEqual([])
  })

  test('an English-only model always transcribes in English', async () => {
    expect((await dictate({ language: 'de' })).request.language).toBe('en')
    expect((await dictate({ language: 'de', model: 'base' })).request.language).toBe('de')
  })

  test('uses the model of the writing style if it is available and the request names none', async () => {
    expect((await dictate({ styleModel: 'base' })).model).toBe('base')
    expect((await dictate({ styleModel: 'missing' })).model).toBe(bundledModel.name)
    expect((await dictate({ model: 'small', styleModel: 'base' })).model).toBe('small')
  })

  test.each([
    ['the settings', { sttModel: 'missing' }, {}],
    ['the writing style', {}, { styleModel: 'missing' }],
  ])('warns if the model of %s is unavailable and names the one used', async (_source, set, more) => {
    settings = set
    const instead = bundledModel.name
    expect((await dictate(more)).warnings).toEqual([
      { code: 'model_not_installed', message: `It is not installed. Used ${instead} instead.` },
    ])
    expect((await dictate({ ...more, model: 'base' })).warnings).toEqual([])
  })
})

describe('the warning about an inaccurate language', () => {
  const warningsOf = async (more: Partial<DictationRequest>) =>
    (await dictate(more)).warnings.filter(({ code }) => code === 'language_written_badly')

  test('recommends a larger model, for a requested and for a detected language', async () => {
    const warning = {
      code: 'language_written_badly',
      message:
        'Whisper base is inaccurate in Welsh: in its authors\' tests, 85 % of the words were wrong. A larger model does better: medium (41 % wrong). Install it with "dictation models pull medium" or POST /models/download.',
    }
    expect(await warningsOf({ model: 'base', language: 'cy' })).toEqual([warning])
    spokenLanguage = 'cy'
    expect(await warningsOf({ model: 'base' })).toEqual([warning])
  })

  test('cites the error rate or the training hours', async () => {
    const messageOf = async (language: string) => (await warningsOf({ model: 'base', language }))[0]?.message
    expect(await messageOf('jw')).toBe(
      "Whisper base is inaccurate in Javanese: in its authors' tests, 90 % of the words were wrong. No larger Whisper model gets half of it right.",
    )
    expect(await messageOf('lo')).toContain('hardly any characters were right')
    expect(await messageOf('br')).toContain('is inaccurate in Breton: it was trained on none of it.')
    expect(await messageOf('sq')).toContain('trained on 6 hours of it')
  })

  test('is absent without speech, for translations and for accurate languages', async () => {
    expect(await warningsOf({ model: 'base', language: 'cy', task: 'translate' })).toEqual([])
    expect(await warningsOf({ model: 'base', language: 'de' })).toEqual([])
    expect(await warningsOf({ model: null, language: 'cy' })).toEqual([])
    spoken = []
    expect(await warningsOf({ model: 'base', language: 'cy' })).toEqual([])
  })
})
