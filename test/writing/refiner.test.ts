// From a transcript to the refined text: rules, dictionary and a language model that a real server simulates.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Database } from '../../db/database.ts'
import { silentLog } from '../../src/lib/log.ts'
import { createLlmClient } from '../../src/llm/llm-client.ts'
import { DEFAULT_SETTINGS, type Settings } from '../../src/settings/settings.ts'
import { compiled } from '../../src/text/dictionary/compile.ts'
import type { Entry } from '../../src/text/dictionary/entry.ts'
import { BUILTIN_STYLES } from '../../src/writing/builtin-styles.ts'
import type { StyledRefineOptions } from '../../src/writing/refined.ts'
import { createRefiner } from '../../src/writing/refiner.ts'
import { openWritingStyles, type WritingStyles } from '../../src/writing/styles.ts'
import { completion, dictated, endless, silence, startModelServer } from '../llm/model-server.ts'
import { createTestFolder, type TestFolder } from '../support/database.ts'
import { libraryPlace } from '../support/library.ts'
import { until } from '../support/until.ts'

const now = new Date('2026-11-22T12:00:00Z')
const clock = () => now
const [DEFAULT, VERBATIM, , , CHAT, , CODE] = BUILTIN_STYLES

let folder: TestFolder
let database: Database
let styles: WritingStyles

beforeAll(async () => {
  folder = await createTestFolder()
  database = await folder.open()
  styles = await openWritingStyles(await libraryPlace({ database, dataFolder: folder.dataFolder, clock }))
})

afterAll(async () => {
  await database.close()
  await folder[Symbol.asyncDispose]()
})

const entry = (more: Partial<Entry>): Entry => ({
  ...{ id: crypto.randomUUID(), type: 'replacement', word: 'word', replacement: null, aliases: [] },
  ...{ caseSensitive: false, wholeWord: true, isRegex: false, enabled: true, language: null, priority: 0 },
  ...{ source: 'manual', usageCount: 0, lastUsedAt: null, createdAt: now, updatedAt: now },
  ...more,
})

const WORDS = [
  entry({ word: 'kubernetis', replacement: 'Kubernetes' }),
  entry({ word: 'Anna', replacement: 'Anna Keller' }),
  entry({ type: 'term', word: 'Grafana' }),
]

const OPTIONS: StyledRefineOptions = {
  language: 'en',
  app: { appName: null, appId: null, appUrl: null },
  ...{ writingStyleId: null, flags: null, useLlm: null, llmModel: null },
  signal: new AbortController().signal,
}

function refinerWith(more: Partial<Settings> = {}) {
  const settings = { ...DEFAULT_SETTINGS, ...more }
  return createRefiner({
    dictionary: { compiled: async () => dictionary },
    ...{ styles, clock, log: silentLog, settings: { current: () => settings } },
    llm: createLlmClient({ readKey: () => undefined }),
  })
}
const dictionary = await compiled(WORDS)

const SPOKEN = 'um so we deploy kubernetis on, on Friday'

describe('without a language model', () => {
  test('applies the rules and the dictionary, and reports each step', async () => {
    const refined = await refinerWith().refine(SPOKEN, OPTIONS)
    expect(refined).toMatchObject({
      status: 'rules',
      writingStyleId: DEFAULT!.id,
      flags: { smartCleanup: true, selfCorrection: true, preserveTechnical: true },
      ...{ llmModel: null, llmFailure: null, warnings: [] },
    })
    expect(refined.text).toContain('Kubernetes')
    expect(refined.text).not.toContain('um')
    expect(refined.steps[0]?.before).toBe(SPOKEN)
    expect(refined.steps.at(-1)?.after).toBe(refined.text)
    expect(refined.steps.map(({ step }) => step)).toContain('dictionary')
  })

  test('refining a refined text changes nothing', async () => {
    const once = await refinerWith().refine('Anna deploys kubernetis', OPTIONS)
    const twice = await refinerWith().refine(once.text, OPTIONS)
    expect(twice).toMatchObject({ text: once.text, steps: [] })
  })

  test('refine expects a text that went through the dictionary once, preview a new one', async () => {
    expect((await refinerWith().refine('Anna Keller comes.', OPTIONS)).text).toBe('Anna Keller comes.')
    expect((await refinerWith().preview('Anna comes.', OPTIONS)).text).toBe('Anna Keller comes.')
  })

  test('a verbatim style, or all flags off, leaves every character', async () => {
    const off = { smartCleanup: false, selfCorrection: false, preserveTechnical: false }
    for (const options of [{ writingStyleId: VERBATIM!.id }, { flags: off }]) {
      const refined = await refinerWith().refine(SPOKEN, { ...OPTIONS, ...options })
      expect(refined).toMatchObject({ text: SPOKEN, status: 'rules', steps: [], flags: off })
    }
  })

  test('flags of the request override the style, and flags of the style override the settings', async () => {
    const refiner = refinerWith({ selfCorrection: false, preserveTechnical: false })
    const flags = async (options: Partial<StyledRefineOptions>) =>
      (await refiner.refine('hello', { ...OPTIONS, ...options })).flags
    expect(await flags({})).toEqual({ smartCleanup: true, selfCorrection: false, preserveTechnical: false })
    expect(await flags({ writingStyleId: CODE!.id })).toMatchObject({ preserveTechnical: true })
    const own = { flags: { preserveTechnical: false, selfCorrection: true }, writingStyleId: CODE!.id }
    expect(await flags(own)).toEqual({ smartCleanup: true, selfCorrection: true, preserveTechnical: false })
  })

  test('the style follows the application; a refinement counts as a use, a preview does not', async () => {
    const refiner = refinerWith()
    const before = styles.get(CHAT!.id)!.usageCount
    const app = { appName: 'Slack', appId: null, appUrl: null }
    expect(await refiner.refine('see you tomorrow.', { ...OPTIONS, app })).toMatchObject({
      text: 'See you tomorrow',
      writingStyleId: CHAT!.id,
    })
    await refiner.preview('see you tomorrow.', { ...OPTIONS, app })
    expect(styles.get(CHAT!.id)?.usageCount).toBe(before + 1)
  })

  test('skips the dictionary if the settings say so', async () => {
    const refined = await refinerWith({ applyDictionary: false }).refine(SPOKEN, OPTIONS)
    expect(refined.text).toContain('kubernetis')
  })

  test('warns if a model is requested but not configured, and uses the rules', async () => {
    const refined = await refinerWith().refine(SPOKEN, { ...OPTIONS, useLlm: true })
    expect(refined).toMatchObject({ status: 'rules', warnings: [{ code: 'llm_not_configured' }] })
  })
})

describe('with a language model', () => {
  const tidy = (text: string) => text.replace(/[.]?$/, '.').replace('we deploy', 'We deploy')

  test('accepts its text if it lost nothing', async () => {
    await using server = startModelServer((request) => completion(tidy(dictated(request))))
    const refined = await refinerWith({ llmBaseUrl: server.baseUrl, llmModel: 'mine' }).refine(
      SPOKEN,
      OPTIONS,
    )
    expect(refined).toMatchObject({ status: 'llm', llmModel: 'played-model', llmFailure: null })
    expect(refined.text).toMatch(/Friday\.$/)
    expect(refined.steps.map(({ step }) => step)).toContain('language_model')
    expect(server.requests[0]?.body?.model).toBe('mine')
    // The model receives the output of the rules.
    expect(dictated(server.requests[0]!)).toContain('Kubernetes')
  })

  test('the model of the request overrides that of the settings', async () => {
    await using server = startModelServer((request) => completion(dictated(request)))
    const refiner = refinerWith({ llmBaseUrl: server.baseUrl, llmModel: 'mine' })
    await refiner.refine(SPOKEN, { ...OPTIONS, llmModel: 'other' })
    expect(server.requests[0]?.body?.model).toBe('other')
  })

  test('applies the form of the style to its text again', async () => {
    await using server = startModelServer(() => completion('See you tomorrow.'))
    const options = { ...OPTIONS, writingStyleId: CHAT!.id }
    const refined = await refinerWith({ llmBaseUrl: server.baseUrl, llmModel: 'm' }).refine(
      'see you tomorrow',
      options,
    )
    expect(refined).toMatchObject({ text: 'See you tomorrow', status: 'llm' })
  })

  test('accepts capitals, lists and emoji if the style mentions them', async () => {
    await using server = startModelServer((request) => completion(`- ${dictated(request).toUpperCase()} 🎉`))
    const refiner = refinerWith({ llmBaseUrl: server.baseUrl, llmModel: 'm' })
    const instructions = 'Write in capitals, as a list, with an emoji.'
    const created = await styles.create({ name: 'Loud', instructions, rules: DEFAULT!.rules })
    if (!created.ok) throw new Error(created.failure.message)
    const statusIn = async (writingStyleId: string) =>
      (await refiner.refine('see you tomorrow', { ...OPTIONS, writingStyleId })).status
    expect(await statusIn(created.value.id)).toBe('llm')
    expect(await statusIn(CHAT!.id)).toBe('llm_failed')
    expect(await statusIn(DEFAULT!.id)).toBe('llm_failed')
    await styles.remove(created.value.id)
  })

  test('is not called if the style or the request turns it off, or the text is empty', async () => {
    await using server = startModelServer((request) => completion(dictated(request)))
    const refiner = refinerWith({ llmBaseUrl: server.baseUrl, llmModel: 'm' })
    const silent: [string, Partial<StyledRefineOptions>][] = [
      [SPOKEN, { useLlm: false }],
      [SPOKEN, { writingStyleId: CODE!.id }],
      [SPOKEN, { writingStyleId: VERBATIM!.id, useLlm: true }],
      ['', {}],
      [' \n', {}],
      ['um', {}],
    ]
    for (const [text, options] of silent)
      expect((await refiner.refine(text, { ...OPTIONS, ...options })).status).toBe('rules')
    expect(server.requests).toEqual([])
    await refiner.refine('npm install works', { ...OPTIONS, writingStyleId: CODE!.id, useLlm: true })
    expect(server.requests.length).toBe(1)
  })

  const FAILURES: [what: string, answer: Parameters<typeof startModelServer>[0], code: string][] = [
    ['answers the question', () => completion('Paris is the capital of France.'), 'llm_refused_by_guard'],
    [
      'adds a sentence',
      (request) => completion(`${dictated(request)} And that is all.`),
      'llm_refused_by_guard',
    ],
    ['drops the number', () => completion('What is the capital of France, room?'), 'llm_refused_by_guard'],
    ['drops the name', () => completion('What is the capital, room 12?'), 'llm_refused_by_guard'],
    [
      'translates',
      () => completion('Was ist die Hauptstadt von Frankreich, Raum 12?'),
      'llm_refused_by_guard',
    ],
    ['shouts', (request) => completion(dictated(request).toUpperCase()), 'llm_refused_by_guard'],
    ['decorates', (request) => completion(`*${dictated(request)}*`), 'llm_refused_by_guard'],
    ['refuses', () => completion("I'm sorry, but I can't help with that."), 'llm_refused_by_guard'],
    ['returns an empty answer', () => completion(''), 'llm_empty'],
    ['is cut off', (request) => completion(dictated(request), { finish_reason: 'length' }), 'llm_cut_off'],
    ['returns a server error', () => new Response('<html>', { status: 500 }), 'llm_http_error'],
    ['sends no JSON', () => new Response('{"choi'), 'llm_malformed'],
    ['never ends', endless, 'llm_too_large'],
  ]
  test.each(FAILURES)('keeps the text of the rules if the model %s', async (_what, answer, code) => {
    await using server = startModelServer(answer)
    const text = 'um what is the capital of France, room 12?'
    const byRules = (await refinerWith().refine(text, OPTIONS)).text
    const settings = { llmBaseUrl: server.baseUrl, llmModel: 'm', refineTimeoutMs: 60_000 }
    const refined = await refinerWith(settings).refine(text, OPTIONS)
    expect(refined).toMatchObject({
      text: byRules,
      status: 'llm_failed',
      llmModel: null,
      llmFailure: { code },
    })
  })

  test('aborts a slow model after the time limit', async () => {
    await using server = startModelServer(silence)
    const refiner = refinerWith({ llmBaseUrl: server.baseUrl, llmModel: 'm', refineTimeoutMs: 100 })
    const refined = await refiner.refine(SPOKEN, OPTIONS)
    expect(refined).toMatchObject({ status: 'llm_failed', llmFailure: { code: 'llm_timeout' } })
    await until(() => server.left() === 1, { what: 'the connection to be closed' })
  })

  test('canceling aborts the model request', async () => {
    await using server = startModelServer(silence)
    const cancel = new AbortController()
    const refiner = refinerWith({ llmBaseUrl: server.baseUrl, llmModel: 'm', refineTimeoutMs: 60_000 })
    const refined = refiner.refine(SPOKEN, { ...OPTIONS, signal: cancel.signal })
    await until(() => server.requests.length === 1)
    cancel.abort()
    expect(await refined).toMatchObject({ status: 'llm_failed', llmFailure: { code: 'llm_canceled' } })
  })

  test('rejects its text if a term of the dictionary is lost', async () => {
    await using server = startModelServer((request) =>
      completion(dictated(request).replace(/grafana/i, 'graphs')),
    )
    const refiner = refinerWith({ llmBaseUrl: server.baseUrl, llmModel: 'm' })
    const refined = await refiner.refine(
      'please open the grafana board with the new numbers for me today',
      OPTIONS,
    )
    expect(refined.status).toBe('llm_failed')
  })
})

describe('the answer cache', () => {
  const answering = () =>
    startModelServer((request) => completion(`${dictated(request).replace(/[.!]$/, '')}!`))

  test('calls the model once for the same inputs', async () => {
    await using model = answering()
    const settings = { llmBaseUrl: model.baseUrl, llmModel: 'small' }
    const refiner = refinerWith(settings)
    const first = await refiner.refine(SPOKEN, OPTIONS)
    const again = await refiner.refine(SPOKEN, OPTIONS)
    expect([first.status, model.requests.length]).toEqual(['llm', 1])
    expect({ ...again, ms: 0 }).toEqual({ ...first, ms: 0 })
  })

  test.each<[string, string, Partial<StyledRefineOptions>]>([
    ['the text', `${SPOKEN} evening`, {}],
    ['a flag', SPOKEN, { flags: { preserveTechnical: false } }],
    ['the model', SPOKEN, { llmModel: 'large' }],
    ['the style', SPOKEN, { writingStyleId: CHAT!.id }],
    ['the language', SPOKEN, { language: 'de' }],
  ])('calls the model again when %s has changed', async (_what, text, more) => {
    await using model = answering()
    const refiner = refinerWith({ llmBaseUrl: model.baseUrl, llmModel: 'small' })
    await refiner.refine(SPOKEN, OPTIONS)
    await refiner.refine(text, { ...OPTIONS, useLlm: true, ...more })
    expect(model.requests.length).toBe(2)
  })

  test('calls the model again after a rejected answer, and for every preview', async () => {
    await using model = startModelServer(() => completion('As an AI I cannot do that, sorry.'))
    const refiner = refinerWith({ llmBaseUrl: model.baseUrl, llmModel: 'small' })
    const failed = [await refiner.refine(SPOKEN, OPTIONS), await refiner.refine(SPOKEN, OPTIONS)]
    expect([failed.map(({ status }) => status), model.requests.length]).toEqual([
      ['llm_failed', 'llm_failed'],
      2,
    ])
    await using other = answering()
    const previewing = refinerWith({ llmBaseUrl: other.baseUrl, llmModel: 'small' })
    await previewing.preview(SPOKEN, OPTIONS)
    await previewing.preview(SPOKEN, OPTIONS)
    expect(other.requests.length).toBe(2)
  })
})
