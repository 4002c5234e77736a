// The writing style routes on a real database and file; a real server plays the language model.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Database } from '../../../db/database.ts'
import { writingStyleRoutes } from '../../../src/app.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { silentLog } from '../../../src/lib/log.ts'
import { fail, succeed } from '../../../src/lib/result.ts'
import { createLlmClient } from '../../../src/llm/llm-client.ts'
import { DEFAULT_SETTINGS, type Settings } from '../../../src/settings/settings.ts'
import { compiled } from '../../../src/text/dictionary/compile.ts'
import { BUILTIN_STYLES } from '../../../src/writing/builtin-styles.ts'
import { createRefiner } from '../../../src/writing/refiner.ts'
import { openWritingStyles } from '../../../src/writing/styles.ts'
import { completion, dictated, startModelServer } from '../../llm/model-server.ts'
import { createTestFolder, type TestFolder } from '../../support/database.ts'
import { libraryPlace } from '../../support/library.ts'
import { type Call, webOf } from '../../support/web.ts'

// biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the expectations say
type Json = Record<string, any>

const [DEFAULT, VERBATIM, , EMAIL, CHAT] = BUILTIN_STYLES.map(({ id }) => id)
/** Knows one model that is not installed. */
/** The preferred model knows only English unless a test changes this. */
let multilingual = false
const models = {
  async resolve(name: string | null) {
    if (name === null)
      return succeed({ name: 'tiny.en', path: '/', bytes: 1, multilingual, knowsCantonese: false })
    return name === 'base'
      ? fail({ code: 'model_not_installed' as const, message: 'It is not installed.' })
      : fail({ code: 'unknown_model' as const, message: 'There is none.' })
  },
}
const UNKNOWN = '0197aaaa-0000-7000-8000-0000000000ff'

let folder: TestFolder
let database: Database
let call: Call
let settings: Settings = DEFAULT_SETTINGS

beforeAll(async () => {
  folder = await createTestFolder()
  database = await folder.open()
  const styles = await openWritingStyles(await libraryPlace({ database, dataFolder: folder.dataFolder }))
  const refiner = createRefiner({
    dictionary: { compiled: () => compiled([]) },
    ...{ styles, clock: systemClock, log: silentLog, settings: { current: () => settings } },
    llm: createLlmClient({ readKey: () => undefined }),
  })
  const routes = writingStyleRoutes({ styles, refiner, models, settings: { current: () => settings } })
  call = (await webOf(routes)).call
})

afterAll(async () => {
  await database.close()
  await folder[Symbol.asyncDispose]()
})

async function ask(method: string, path: string, body?: object): Promise<{ status: number; json: Json }> {
  const headers = body === undefined ? {} : { 'content-type': 'application/json' }
  const response = await call(path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  return { status: response.status, json: (await response.json()) as Json }
}

const make = async (body: object): Promise<Json> => (await ask('POST', '/writing-styles', body)).json
const remove = (id: string) => ask('DELETE', `/writing-styles/${id}`)

describe('writing styles', () => {
  test('lists the built-in styles page by page', async () => {
    const { json } = await ask('GET', '/writing-styles')
    expect(json.total).toBe(7)
    expect(json.items.filter((one: Json) => one.is_default).map((one: Json) => one.id)).toEqual([DEFAULT])
    const page = await ask('GET', '/writing-styles?limit=2&offset=1')
    expect(page.json).toEqual({ items: json.items.slice(1, 3), total: 7 })
  })

  test('creates a style from a name alone, and finds, changes and deletes it', async () => {
    const created = await call('/writing-styles', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: ' Minutes ' }),
    })
    const style = (await created.json()) as Json
    expect([created.status, created.headers.get('location')]).toEqual([201, `/writing-styles/${style.id}`])
    expect(style).toMatchObject({
      name: 'Minutes',
      kind: 'custom',
      tone: 'neutral',
      enabled: true,
      is_default: false,
    })
    expect((await ask('GET', `/writing-styles/${style.id.toUpperCase()}`)).json).toEqual(style)

    const patched = await ask('PATCH', `/writing-styles/${style.id}`, { rules: { trailing_space: true } })
    expect(patched.json.rules).toEqual({ ...style.rules, trailing_space: true })
    const replaced = await ask('PUT', `/writing-styles/${style.id}`, { name: 'Minutes', tone: 'formal' })
    expect(replaced.json).toMatchObject({ tone: 'formal', rules: style.rules, created_at: style.created_at })

    expect(await remove(style.id)).toEqual({
      status: 200,
      json: { message: `Writing style ${style.id} deleted` },
    })
    expect((await ask('GET', `/writing-styles/${style.id}`)).status).toBe(404)
  })

  test('returns everything that was sent', async () => {
    const sent = {
      ...{ name: 'Whole', description: 'All of it', tone: 'casual', instructions: 'Be kind.' },
      ...{ examples: [{ input: 'a', output: 'b' }], smart_cleanup: true, self_correction: false },
      ...{ preserve_technical: null, use_llm: false, app_categories: ['email'], apps: ['Mail'] },
      rules: {
        ...{ remove_fillers: false, capitalize: 'lower', trailing_period: 'strip', trailing_space: true },
        ...{ spoken_punctuation: false, numbers: 'words', paragraphs: true },
      },
      ...{
        url_patterns: ['*.example.com/a'],
        language: 'de',
        stt_model: 'base',
        llm_model: 'x',
        enabled: false,
      },
      priority: 7,
    }
    const style = await make(sent)
    expect(style).toMatchObject(sent)
    await remove(style.id)
  })

  test('changes and resets a built-in style', async () => {
    const before = (await ask('GET', `/writing-styles/${EMAIL}`)).json
    await ask('PUT', `/writing-styles/${EMAIL}`, { name: 'Post' })
    const reset = await ask('POST', `/writing-styles/${EMAIL}/reset`)
    expect(reset.json).toEqual({ ...before, updated_at: expect.any(String) })
  })

  test('has exactly one default', async () => {
    const { json } = await ask('PUT', `/writing-styles/${CHAT}/default`)
    expect(json).toMatchObject({ id: CHAT, is_default: true })
    const all = (await ask('GET', '/writing-styles')).json.items
    expect(all.filter((one: Json) => one.is_default).map((one: Json) => one.id)).toEqual([CHAT])
    await ask('PUT', `/writing-styles/${DEFAULT}/default`)
  })
})

describe('refusals', () => {
  test('refuses invalid input with all its errors, and changes nothing', async () => {
    const { status, json } = await ask('POST', '/writing-styles', {
      ...{ name: ' ', tone: 'loud', examples: [{ input: 'a' }], rules: { capitalise: 'none' } },
      ...{ apps: ['', 'Mail'], priority: 5000, language: 'xx', is_default: true },
    })
    expect([status, json.code]).toEqual([422, 'invalid_request'])
    const places = json.errors.map((fault: Json) => fault.path)
    expect(places).toEqual(
      expect.arrayContaining([
        ...['/name', '/tone', '/examples/0/output', '/rules/capitalise', '/apps/0', '/priority', '/language'],
        '/is_default',
      ]),
    )
    expect((await ask('GET', '/writing-styles')).json.total).toBe(7)
  })

  test('refuses schema errors and unknown references together, and a name that is taken', async () => {
    const { status, json } = await ask('POST', '/writing-styles', {
      ...{ name: 'CHAT', priority: 5000, stt_model: 'gigantic', url_patterns: ['/wiki'] },
    })
    expect([status, json.errors.map((fault: Json) => fault.path).toSorted()]).toEqual([
      422,
      ['/name', '/priority', '/stt_model', '/url_patterns/0'],
    ])
    const taken = await ask('POST', '/writing-styles', { name: 'CHAT' })
    expect([taken.status, taken.json.code, taken.json.errors]).toEqual([
      409,
      'writing_style_exists',
      undefined,
    ])
  })

  test('accepts an edited response', async () => {
    const { id } = await make({ name: 'Letters' })
    for (const method of ['PUT', 'PATCH']) {
      const got = (await ask('GET', `/writing-styles/${id}`)).json
      const put = await ask(method, `/writing-styles/${id}`, { ...got, tone: 'formal', usage_count: 7 })
      expect([put.status, put.json.tone, put.json.usage_count]).toEqual([200, 'formal', 0])
      const wrong = { ...got, is_default: true, kind: 'builtin', id: crypto.randomUUID() }
      const refused = await ask(method, `/writing-styles/${id}`, wrong)
      expect([refused.status, refused.json.errors.map((fault: Json) => fault.path)]).toEqual([
        422,
        ['/id', '/kind', '/is_default'],
      ])
    }
    await remove(id)
  })

  test('refuses a pattern without a host, and an unknown model', async () => {
    const { status, json } = await ask('POST', '/writing-styles', {
      name: 'X',
      url_patterns: ['a.com', '/wiki', 'about:x'],
      stt_model: 'gigantic',
    })
    expect([status, json.errors.map((fault: Json) => fault.path)]).toEqual([
      422,
      ['/url_patterns/1', '/url_patterns/2', '/stt_model'],
    ])
  })

  const REFUSED: [
    what: string,
    method: string,
    path: string,
    body: object | undefined,
    expected: [number, string],
  ][] = [
    ['a name that is taken', 'POST', '', { name: 'ÉMAIL' }, [409, 'writing_style_exists']],
    [
      'to rename to a name that is taken',
      'PATCH',
      `/${VERBATIM}`,
      { name: 'email' },
      [409, 'writing_style_exists'],
    ],
    ['to delete a built-in style', 'DELETE', `/${EMAIL}`, undefined, [409, 'style_is_built_in']],
    ['to disable the default', 'PATCH', `/${DEFAULT}`, { enabled: false }, [409, 'style_is_default']],
    ['an empty change', 'PATCH', `/${EMAIL}`, {}, [422, 'invalid_request']],
    ['an unknown style', 'GET', `/${UNKNOWN}`, undefined, [404, 'writing_style_not_found']],
    ['to change an unknown one', 'PATCH', `/${UNKNOWN}`, { priority: 1 }, [404, 'writing_style_not_found']],
    ['to replace an unknown one', 'PUT', `/${UNKNOWN}`, { name: 'N' }, [404, 'writing_style_not_found']],
    ['to delete an unknown one', 'DELETE', `/${UNKNOWN}`, undefined, [404, 'writing_style_not_found']],
    ['to reset an unknown one', 'POST', `/${UNKNOWN}/reset`, undefined, [404, 'writing_style_not_found']],
    ['an unknown default', 'PUT', `/${UNKNOWN}/default`, undefined, [404, 'writing_style_not_found']],
    [
      'to preview an unknown one',
      'POST',
      `/${UNKNOWN}/preview`,
      { text: '' },
      [404, 'writing_style_not_found'],
    ],
    ['an invalid id', 'GET', '/email', undefined, [422, 'invalid_request']],
    [
      'a text that is too long',
      'POST',
      `/${EMAIL}/preview`,
      { text: 'a'.repeat(50_001) },
      [422, 'invalid_request'],
    ],
  ]
  test.each(REFUSED)('refuses %s', async (_what, method, path, body, expected) => {
    const { status, json } = await ask(method, `/writing-styles${path}`, body)
    expect([status, json.code]).toEqual(expected)
  })

  test('refuses to delete the default and to reset a custom style', async () => {
    const { id } = await make({ name: 'Mine' })
    expect((await ask('POST', `/writing-styles/${id}/reset`)).json.code).toBe('style_is_custom')
    await ask('PUT', `/writing-styles/${id}/default`)
    expect((await remove(id)).json.code).toBe('style_is_default')
    await ask('PUT', `/writing-styles/${DEFAULT}/default`)
    expect((await remove(id)).status).toBe(200)
  })
})

describe('matching a style', () => {
  const PLACES: [query: string, name: string, matchedBy: string][] = [
    ['', 'Default', 'default'],
    ['?app=Slack', 'Chat', 'category'],
    ['?app=com.apple.mail', 'Email', 'category'],
    ['?category=code', 'Code', 'category'],
    ['?app=Safari&url=https%3A%2F%2Fmail.google.com%2Fmail', 'Email', 'url'],
    ['?app=&url=&category=', 'Default', 'default'],
  ]
  test.each(PLACES)('%p', async (query, name, matchedBy) => {
    const { json } = await ask('GET', `/writing-styles/match${query}`)
    expect([json.style.name, json.matched_by]).toEqual([name, matchedBy])
  })
})

describe('previewing a style', () => {
  test('returns the steps that changed the text', async () => {
    const { json } = await ask('POST', `/writing-styles/${CHAT}/preview`, {
      text: 'Um, see you tomorrow.',
      language: 'en',
    })
    expect(json).toMatchObject({
      text: 'See you tomorrow',
      changed: true,
      used_llm: false,
      llm_failure: null,
      warnings: [],
    })
    expect(json.steps[0].before).toBe('Um, see you tomorrow.')
    expect(json.steps.at(-1).after).toBe('See you tomorrow')
    expect((await ask('GET', `/writing-styles/${CHAT}`)).json.usage_count).toBe(0)
  })

  test('uses the language of the settings, of the model, or none if a text is too short to detect it', async () => {
    const preview = async (text: string, more: object = {}) =>
      (await ask('POST', `/writing-styles/${DEFAULT}/preview`, { text, ...more })).json
    expect(await preview('um okay')).toMatchObject({ text: 'Okay', language: 'en', warnings: [] })
    settings = { ...DEFAULT_SETTINGS, language: 'de' }
    expect(await preview('um acht')).toMatchObject({ text: 'Um acht', language: 'de' })
    expect(await preview('um okay', { language: 'en' })).toMatchObject({ text: 'Okay', language: 'en' })
    settings = DEFAULT_SETTINGS
    multilingual = true
    const unknown = await preview('um okay')
    expect([unknown.text.toLowerCase(), unknown.language]).toEqual(['um okay', null])
    expect(unknown.warnings).toMatchObject([{ code: 'language_unknown' }])
    multilingual = false
  })

  test('previews a draft as if it were saved, with the style’s other fields, and stores nothing', async () => {
    const before = (await ask('GET', `/writing-styles/${DEFAULT}`)).json
    const preview = async (style: object | null) =>
      (
        await ask('POST', `/writing-styles/${DEFAULT}/preview`, {
          text: 'um we meet at noon',
          language: 'en',
          style,
        })
      ).json.text
    expect(await preview(null)).toBe('We meet at noon')
    expect(await preview({ rules: { trailing_period: 'add' } })).toBe('We meet at noon.')
    expect(await preview({ rules: { capitalize: 'lower' } })).toBe('we meet at noon')
    expect(await preview({ tone: 'verbatim' })).toBe('um we meet at noon')
    expect((await ask('GET', `/writing-styles/${DEFAULT}`)).json).toEqual(before)
  })

  test('uses the draft’s language if a text has none', async () => {
    const { json } = await ask('POST', `/writing-styles/${DEFAULT}/preview`, {
      text: 'um acht',
      style: { language: 'de' },
    })
    expect(json).toMatchObject({ text: 'Um acht', language: 'de' })
  })

  test('refuses a draft with fields that do not affect the text, and names them', async () => {
    const { status, json } = await ask('POST', `/writing-styles/${DEFAULT}/preview`, {
      text: 'hello',
      style: { name: 'Minutes', rules: { numbers: 'roman' } },
    })
    expect([status, json.code]).toEqual([422, 'invalid_request'])
    expect(json.errors.map(({ path }: Json) => path).toSorted()).toEqual([
      '/style/name',
      '/style/rules/numbers',
    ])
  })

  test('does not change a text that is already correct', async () => {
    const { json } = await ask('POST', `/writing-styles/${VERBATIM}/preview`, { text: 'um, what?' })
    expect(json).toMatchObject({ text: 'um, what?', changed: false, steps: [] })
  })

  test('warns if a language model is requested but not configured', async () => {
    const { json } = await ask('POST', `/writing-styles/${EMAIL}/preview`, {
      text: 'hello there',
      use_llm: true,
    })
    expect(json.warnings.map((one: Json) => one.code)).toEqual(['llm_not_configured'])
  })

  test('uses the language model, or reports why not', async () => {
    await using server = startModelServer((asked) => {
      const text = dictated(asked)
      return completion(
        text.includes('Boston') ? text.replace('Boston', 'Paris') : text.replace(/[.]?$/, '!'),
      )
    })
    settings = { ...DEFAULT_SETTINGS, llmBaseUrl: server.baseUrl, llmModel: 'm' }
    const good = await ask('POST', `/writing-styles/${DEFAULT}/preview`, {
      text: 'well done',
      language: 'en',
    })
    expect(good.json).toMatchObject({ text: 'Well done!', used_llm: true, llm_failure: null })
    const bad = await ask('POST', `/writing-styles/${DEFAULT}/preview`, {
      text: 'I live in Boston.',
      language: 'en',
    })
    expect(bad.json).toMatchObject({ text: 'I live in Boston.', used_llm: false })
    expect(bad.json.llm_failure.code).toBe('llm_refused_by_guard')
    settings = DEFAULT_SETTINGS
  })
})
