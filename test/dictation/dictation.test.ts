// What becomes of a recording's text between the recogniser and the person: prompt, dictionary, echoes, settings. The
// dictionary is a real one; the transcriber is written by hand and says what it is told to.

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
  test('has the clipboard of the request, in the stream too, and tells where there is none', async () => {
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

  test('tells of patterns that took too long', async () => {
    for (const letter of 'abcdefghij')
      await teach({ type: 'replacement', word: `${letter}(.*END)?`, replacement: 'x', isRegex: true })
    spoken = ['abcdefghij '.repeat(20_000)]
    const { warnings } = await hear()
    expect(warnings).toMatchObject([
      { code: 'dictionary_too_slow', message: expect.stringContaining('simpler') },
    ])
  })

  test('rewrites text, segments and stream alike, and leaves what the engine said', async () => {
    await teach({ type: 'replacement', word: 'pg boss', replacement: 'pg-boss' })
    spoken = ['We use PG boss here.', 'It is fine.']
    const heard = await hear()
    expect(heard.text).toBe('We use pg-boss here. It is fine.')
    expect(heard.segments.map(({ text }) => text)).toEqual(['We use pg-boss here.', 'It is fine.'])
    expect(heard.told).toEqual(['We use pg-boss here.', 'It is fine.'])
    expect([heard.engineText, heard.corrections]).toEqual(['We use PG boss here. It is fine.', 1])
    expect(dictionary.list()[0]).toMatchObject({ usageCount: 1 })
  })

  test('is left out when a request or the settings say so', async () => {
    await teach({ type: 'replacement', word: 'hello', replacement: 'Good day' })
    expect((await hear({ applyDictionary: false })).text).toBe('Hello.')
    settings = { applyDictionary: false }
    expect((await hear()).text).toBe('Hello.')
    expect((await hear({ applyDictionary: true })).text).toBe('Good day.')
  })

  test('tells the recogniser its terms after the texts of settings and request', async () => {
    await teach({ type: 'term', word: 'Kubernetes' })
    settings = { initialPrompt: 'Minutes of a meeting.' }
    const { prompt } = (await hear({ prompt: 'With Ada.' })).asked
    expect(prompt).toBe('Minutes of a meeting. With Ada. Kubernetes.')
    expect((await hear({ prompt: 'With Ada.', applyDictionary: false })).asked.prompt).toBe(
      'Minutes of a meeting. With Ada.',
    )
  })

  test('never tells more than the model can hold', async () => {
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

describe('an echo of what the recogniser was told', () => {
  beforeEach(async () => {
    for (const word of ['Kubernetes', 'Grafana', 'Zürich']) await teach({ type: 'term', word })
    silence = 0.01
  })

  test('is silence, in the stream too', async () => {
    spoken = ['Kubernetes, Grafana, Zürich.']
    expect(await hear()).toMatchObject({ text: '', segments: [], engineText: '', told: [] })
  })

  test('that goes on with speech is speech, and the stream has all of it', async () => {
    spoken = ['Kubernetes, Grafana, Zürich.', 'All three are on the list.']
    const heard = await hear()
    expect(heard.told).toEqual(spoken)
    expect(heard.text).toBe(spoken.join(' '))
  })

  test('of one term alone is what people say, unless it was silent', async () => {
    spoken = ['Kubernetes.']
    expect((await hear()).text).toBe('Kubernetes.')
    silence = 0.9
    expect((await hear()).text).toBe('')
  })
})

describe('the settings', () => {
  test('say which languages may be found, what is silence, and whether speech is looked for', async () => {
    settings = { languages: ['de', 'fr'], noSpeechThreshold: 0.4, vadEnabled: false }
    expect((await hear()).asked).toMatchObject({
      preferences: { languages: ['de', 'fr'], noSpeechThreshold: 0.4 },
      detectSpeech: false,
    })
  })

  test('say nothing of languages where a request names those that may be found', async () => {
    settings = { languages: ['de', 'fr'] }
    const { asked } = await hear({ languages: ['it', 'en'] })
    expect(asked.preferences).toMatchObject({ languages: ['it', 'en'] })
  })

  test('a language that the model does not know is told, one of several that it may find is not', async () => {
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

  test('a model that knows only English hears English', async () => {
    expect((await hear({ language: 'de' })).asked.language).toBe('en')
    expect((await hear({ language: 'de', model: 'base' })).asked.language).toBe('de')
  })

  test('the model of the writing style is taken when it can be and no other is asked for', async () => {
    expect((await hear({ wishedModel: 'base' })).model).toBe('base')
    expect((await hear({ wishedModel: 'missing' })).model).toBe(bundledModel.name)
    expect((await hear({ model: 'small', wishedModel: 'base' })).model).toBe('small')
  })

  test.each([
    ['the settings', { sttModel: 'missing' }, {}],
    ['the writing style', {}, { wishedModel: 'missing' }],
  ])('a model of %s that cannot be used is told, with the one that heard', async (_who, set, more) => {
    settings = set
    const instead = bundledModel.name
    expect((await hear(more)).warnings).toEqual([
      { code: 'model_not_installed', message: `It is not installed. This was heard with ${instead}.` },
    ])
    expect((await hear({ ...more, model: 'base' })).warnings).toEqual([])
  })
})

describe('a language that the model writes badly', () => {
  const toldOf = async (more: Partial<DictationRequest>) =>
    (await hear(more)).warnings.filter(({ code }) => code === 'language_written_badly')

  test('is told once, with what does better, whether it was named or found out', async () => {
    const warning = {
      code: 'language_written_badly',
      message:
        'Whisper base writes Welsh badly: when its authors tried it, 85 % of the words were wrong. A larger one does better: medium (41 % wrong), which "npm run get-model -- medium" or POST /models/download brings.',
    }
    expect(await toldOf({ model: 'base', language: 'cy' })).toEqual([warning])
    spokenLanguage = 'cy'
    expect(await toldOf({ model: 'base' })).toEqual([warning])
  })

  test('is told by what is known of it', async () => {
    const messageOf = async (language: string) => (await toldOf({ model: 'base', language }))[0]?.message
    expect(await messageOf('jw')).toBe(
      'Whisper base writes Javanese badly: when its authors tried it, 90 % of the words were wrong. No larger Whisper gets half of it right.',
    )
    expect(await messageOf('lo')).toContain('hardly any of the characters were right')
    expect(await messageOf('br')).toContain('writes Breton badly: it was trained with nothing of it.')
    expect(await messageOf('sq')).toContain('trained with 6 hours of it')
  })

  test('is not told where nothing was said, nor of what is translated, nor of others', async () => {
    expect(await toldOf({ model: 'base', language: 'cy', task: 'translate' })).toEqual([])
    expect(await toldOf({ model: 'base', language: 'de' })).toEqual([])
    expect(await toldOf({ model: null, language: 'cy' })).toEqual([])
    spoken = []
    expect(await toldOf({ model: 'base', language: 'cy' })).toEqual([])
  })
})
