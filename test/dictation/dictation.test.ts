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
let asked: TranscriptionRequest[] = []
beforeEach(async () => {
  await dictionary.clear()
  settings = {}
  spoken = ['Hello.']
  spokenLanguage = 'de'
  asked = []
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
      asked.push(request)
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

async function hear(more: Partial<DictationRequest> = {}) {
  const told: string[] = []
  const heard = await dictation.transcribe({
    ...{ path: '/nowhere', kind: { format: 'wav', mediaType: 'audio/wav', extension: 'wav' } },
    ...{ model: null, language: null, task: 'transcribe', prompt: null, applyDictionary: null },
    signal: new AbortController().signal,
    onSegment: ({ text }) => told.push(text),
    ...more,
  })
  if (!heard.ok) throw new Error(heard.failure.message)
  return { ...heard.value, told, asked: asked.at(-1)! }
}

const teach = (entry: object) => dictionary.create({ ...NEW_ENTRY, ...entry } as never)

describe('the dictionary', () => {
  test('inserts the clipboard of the request, in the stream too, and warns without one', async () => {
    await teach({ type: 'snippet', word: 'my link', replacement: '<{{clipboard}}>' })
    spoken = ['See my link.']
    const given = await hear({ clipboard: () => 'https://example.com' })
    expect([given.text, given.told, given.warnings]).toEqual([
      'See <https://example.com>.',
      ['See <https://example.com>.'],
      [],
    ])
    const none = await hear()
    expect([none.text, none.warnings.map(({ code }) => code)]).toEqual(['See <>.', ['clipboard_unknown']])
  })

  test('warns about patterns that take too long', async () => {
    for (const letter of 'abcdefghij')
      await teach({ type: 'replacement', word: `${letter}(.*END)?`, replacement: 'x', isRegex: true })
    spoken = ['abcdefghij '.repeat(20_000)]
    const { warnings } = await hear()
    expect(warnings).toMatchObject([
      { code: 'dictionary_too_slow', message: expect.stringContaining('simpler') },
    ])
  })

  test('rewrites text, segments and stream, but not the engine text', async () => {
    await teach({ type: 'replacement', word: 'pg boss', replacement: 'pg-boss' })
    spoken = ['We use PG boss here.', 'It is fine.']
    const heard = await hear()
    expect(heard.text).toBe('We use pg-boss here. It is fine.')
    expect(heard.segments.map(({ text }) => text)).toEqual(['We use pg-boss here.', 'It is fine.'])
    expect(heard.told).toEqual(['We use pg-boss here.', 'It is fine.'])
    expect([heard.engineText, heard.corrections]).toEqual(['We use PG boss here. It is fine.', 1])
    expect(dictionary.list()[0]).toMatchObject({ usageCount: 1 })
  })

  test('is not applied if the request or the settings disable it', async () => {
    await teach({ type: 'replacement', word: 'hello', replacement: 'Good day' })
    expect((await hear({ applyDictionary: false })).text).toBe('Hello.')
    settings = { applyDictionary: false }
    expect((await hear()).text).toBe('Hello.')
    expect((await hear({ applyDictionary: true })).text).toBe('Good day.')
  })

  test('appends its terms to the prompts of settings and request', async () => {
    await teach({ type: 'term', word: 'Kubernetes' })
    settings = { initialPrompt: 'Minutes of a meeting.' }
    const { prompt } = (await hear({ prompt: 'With Ada.' })).asked
    expect(prompt).toBe('Minutes of a meeting. With Ada. Kubernetes.')
    expect((await hear({ prompt: 'With Ada.', applyDictionary: false })).asked.prompt).toBe(
      'Minutes of a meeting. With Ada.',
    )
  })

  test('never exceeds the token limit of the prompt', async () => {
    const words = Array.from({ length: 400 }, (_, number) => `Zyxwvut${number}`)
    await dictionary.import(
      words.map((word, at) => ({ line: at + 1, type: 'term' as const, word })),
      'merge',
    )
    const { prompt } = (await hear()).asked
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
    expect(await hear()).toMatchObject({ text: '', segments: [], engineText: '', told: [] })
  })

  test('followed by speech is kept, in the stream too', async () => {
    spoken = ['Kubernetes, Grafana, Zürich.', 'All three are on the list.']
    const heard = await hear()
    expect(heard.told).toEqual(spoken)
    expect(heard.text).toBe(spoken.join(' '))
  })

  test('of a single term is kept unless the audio is silent', async () => {
    spoken = ['Kubernetes.']
    expect((await hear()).text).toBe('Kubernetes.')
    silence = 0.9
    expect((await hear()).text).toBe('')
  })
})

describe('the settings', () => {
  test('set candidate languages, the no-speech threshold and speech detection', async () => {
    settings = { languages: ['de', 'fr'], noSpeechThreshold: 0.4, vadEnabled: false }
    expect((await hear()).asked).toMatchObject({
      preferences: { languages: ['de', 'fr'], noSpeechThreshold: 0.4 },
      detectSpeech: false,
    })
  })

  test('the candidate languages of a request override those of the settings', async () => {
    settings = { languages: ['de', 'fr'] }
    const { asked } = await hear({ languages: ['it', 'en'] })
    expect(asked.preferences).toMatchObject({ languages: ['it', 'en'] })
  })

  test('warns about an unsupported language, but not if one of several candidates is supported', async () => {
    const codesOf = async (more: Partial<DictationRequest> = {}) =>
      (await hear(more)).warnings.map(({ code }) => code)
    expect(await codesOf({ language: 'de' })).toEqual(['language_ignored'])
    expect(await codesOf({ language: 'en' })).toEqual([])
    expect(await codesOf({ model: 'base', language: 'de' })).toEqual([])
    settings = { languages: ['de', 'fr'] }
    expect(await codesOf()).toEqual(['language_ignored'])
    settings = { languages: ['de', 'en'] }
    expect(await codesOf()).toEqual([])
  })

  test('an English-only model always transcribes in English', async () => {
    expect((await hear({ language: 'de' })).asked.language).toBe('en')
    expect((await hear({ language: 'de', model: 'base' })).asked.language).toBe('de')
  })

  test('uses the model of the writing style if it is available and the request names none', async () => {
    expect((await hear({ wishedModel: 'base' })).model).toBe('base')
    expect((await hear({ wishedModel: 'missing' })).model).toBe(bundledModel.name)
    expect((await hear({ model: 'small', wishedModel: 'base' })).model).toBe('small')
  })

  test.each([
    ['the settings', { sttModel: 'missing' }, {}],
    ['the writing style', {}, { wishedModel: 'missing' }],
  ])('warns if the model of %s is unavailable and names the one used', async (_source, set, more) => {
    settings = set
    const instead = bundledModel.name
    expect((await hear(more)).warnings).toEqual([
      { code: 'model_not_installed', message: `It is not installed. Used ${instead} instead.` },
    ])
    expect((await hear({ ...more, model: 'base' })).warnings).toEqual([])
  })
})

describe('the warning about an inaccurate language', () => {
  const toldOf = async (more: Partial<DictationRequest>) =>
    (await hear(more)).warnings.filter(({ code }) => code === 'language_written_badly')

  test('recommends a larger model, for a requested and for a detected language', async () => {
    const warning = {
      code: 'language_written_badly',
      message:
        'Whisper base is inaccurate in Welsh: in its authors\' tests, 85 % of the words were wrong. A larger model does better: medium (41 % wrong). Install it with "npm run get-model -- medium" or POST /models/download.',
    }
    expect(await toldOf({ model: 'base', language: 'cy' })).toEqual([warning])
    spokenLanguage = 'cy'
    expect(await toldOf({ model: 'base' })).toEqual([warning])
  })

  test('cites the error rate or the training hours', async () => {
    const messageOf = async (language: string) => (await toldOf({ model: 'base', language }))[0]?.message
    expect(await messageOf('jw')).toBe(
      "Whisper base is inaccurate in Javanese: in its authors' tests, 90 % of the words were wrong. No larger Whisper model gets half of it right.",
    )
    expect(await messageOf('lo')).toContain('hardly any characters were right')
    expect(await messageOf('br')).toContain('is inaccurate in Breton: it was trained on none of it.')
    expect(await messageOf('sq')).toContain('trained on 6 hours of it')
  })

  test('is absent without speech, for translations and for accurate languages', async () => {
    expect(await toldOf({ model: 'base', language: 'cy', task: 'translate' })).toEqual([])
    expect(await toldOf({ model: 'base', language: 'de' })).toEqual([])
    expect(await toldOf({ model: null, language: 'cy' })).toEqual([])
    spoken = []
    expect(await toldOf({ model: 'base', language: 'cy' })).toEqual([])
  })
})
