// The settings over HTTP: the requests of Voicebox's client, and that an invalid value changes nothing.

import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { settingsRoutes } from '../../../src/app.ts'
import { silentLog } from '../../../src/lib/log.ts'
import { fail, succeed } from '../../../src/lib/result.ts'
import type { ModelFailure } from '../../../src/models/store.ts'
import { DEFAULT_SETTINGS } from '../../../src/settings/settings.ts'
import { createSettings } from '../../../src/settings/settings-store.ts'
import { openWritingStyles } from '../../../src/writing/styles.ts'
import { createTestFolder } from '../../support/database.ts'
import { libraryPlace } from '../../support/library.ts'
import { webOf } from '../../support/web.ts'

const folder = await createTestFolder()
const database = await folder.open()
const { dataFolder } = folder
const place = await libraryPlace({ database, dataFolder })
const styles = await openWritingStyles(place)
afterAll(async () => {
  await database.close()
  await folder[Symbol.asyncDispose]()
})

// biome-ignore lint/suspicious/noExplicitAny: what comes over the wire is looked at by the expectations
type Json = any

async function open() {
  const settings = createSettings({ log: silentLog })
  settings.attach(place.library)
  await settings.change(DEFAULT_SETTINGS)
  const models = {
    async resolve(name: string | null) {
      if (name === 'english')
        return succeed({ name, path: '/', bytes: 1, multilingual: false, knowsCantonese: false })
      if (name === 'base' || name === null)
        return succeed({ name: 'base', path: '/', bytes: 1, multilingual: true, knowsCantonese: false })
      const code = name === 'large' ? ('model_not_installed' as const) : ('unknown_model' as const)
      return fail<ModelFailure>({ code, message: 'It is not there.' })
    },
  }
  const announced = { code: 'removal_announced', message: 'All of it goes tomorrow.' }
  const calls: string[] = []
  const retention = {
    announce: async () => void calls.push('announce'),
    confirm: () => void calls.push('confirm'),
    warnings: () => (calls.at(-1) === 'announce' ? [announced] : []),
  }
  const destination = { sentTo: null as string | null, problem: null as string | null }
  const speechDestination = () => destination
  const { call } = await webOf(settingsRoutes({ settings, models, styles, retention, speechDestination }), {
    origins: ['http://localhost:5173'],
  })
  const send = async (method: string, body?: object, origin?: string) => {
    const headers = { 'content-type': 'application/json', ...(origin && { origin }) }
    const init = { headers, ...(body && { body: JSON.stringify(body) }) }
    const response = await call('/settings/captures', { method, ...init })
    return { status: response.status, json: (await response.json()) as Json }
  }
  return { settings, send, calls, destination }
}

let web: Awaited<ReturnType<typeof open>>
beforeEach(async () => {
  web = await open()
})

test('has Voicebox’s twelve settings with their types', async () => {
  const { status, json } = await web.send('GET')
  expect(status).toBe(200)
  expect(json).toMatchObject({
    ...{ stt_model: 'auto', language: 'auto', auto_refine: true, llm_model: 'auto' },
    ...{ smart_cleanup: true, self_correction: true, preserve_technical: true, allow_auto_paste: true },
    ...{ default_playback_voice_id: null, hotkey_enabled: false },
    chord_push_to_talk_keys: ['ControlRight', 'ShiftRight'],
    chord_toggle_to_talk_keys: ['ControlRight', 'ShiftRight', 'Space'],
  })
})

test.each(['PUT', 'PATCH'])('%s changes the given settings and returns all of them', async (method) => {
  const before = (await web.send('GET')).json
  const { status, json } = await web.send(method, { language: 'de', stt_model: 'large', typing_wpm: 70 })
  expect(status).toBe(200)
  const changed = { ...before, language: 'de', stt_model: 'large', typing_wpm: 70 }
  expect({ ...json, warnings: [] }).toEqual(changed)
  expect((await web.send('GET')).json).toEqual(json)
})

test('ignores and reports unknown keys, and ignores null for settings that cannot be null', async () => {
  const before = (await web.send('GET')).json
  const nulls = { auto_refine: null, language: null, stt_model: null, llm_model: null }
  const { status, json } = await web.send('PUT', { archive_audio: true, ...nulls })
  const { warnings, ...same } = json
  expect([status, { ...same, warnings: before.warnings }]).toEqual([200, before])
  expect(warnings).toEqual([
    { code: 'unknown_setting', message: '"archive_audio" is not a setting and was ignored.' },
  ])
})

test.each(['PUT', 'PATCH'] as const)('%s refuses misspelt settings, and changes nothing', async (method) => {
  const before = (await web.send('GET')).json
  const { status, json } = await web.send(method, { languge: 'de', auto_refin: true, typing_wpm: 99 })
  expect([status, json.code]).toEqual([422, 'invalid_request'])
  expect(json.errors).toEqual([
    { in: 'body', path: '/languge', message: 'is not known here; did you mean "language"?' },
    { in: 'body', path: '/auto_refin', message: 'is not known here; did you mean "auto_refine"?' },
  ])
  expect((await web.send('GET')).json).toEqual(before)
})

test('null resets a setting that can be null', async () => {
  await web.send('PUT', { webhook_url: 'http://127.0.0.1:9/hook', retention_days: 30 })
  const { json } = await web.send('PUT', { webhook_url: null, retention_days: null })
  expect(json).toMatchObject({ webhook_url: null, retention_days: null })
})

test('warns about a language that the chosen model does not support', async () => {
  const codes = ({ json }: { json: Json }) => json.warnings.map(({ code }: { code: string }) => code)
  expect(codes(await web.send('PUT', { stt_model: 'english', language: 'de' }))).toEqual(['language_ignored'])
  expect(codes(await web.send('GET'))).toEqual(['language_ignored'])
  expect(codes(await web.send('PUT', { stt_model: 'base' }))).toEqual([])
})

test('warns about a model that is not installed, and about the language, until another model is used', async () => {
  const warned = (await web.send('PUT', { stt_model: 'large', language: 'yue' })).json.warnings
  expect(warned).toEqual([
    {
      code: 'model_not_installed',
      message: 'It is not there. Until it can be used, base transcribes recordings.',
    },
    { code: 'language_ignored', message: expect.stringContaining('yue') },
  ])
  expect((await web.send('GET')).json.warnings).toEqual(warned)
  expect((await web.send('PUT', { stt_model: 'base', language: 'auto' })).json.warnings).toEqual([])
})

test('warns about a language model without a URL', async () => {
  const { status, json } = await web.send('PUT', { llm_model: '0.6B' })
  expect([status, json.warnings]).toEqual([
    200,
    [
      {
        code: 'llm_not_configured',
        message:
          'llm_model names "0.6B", but llm_base_url is not set, so only the rules refine. Set llm_base_url to use the language model.',
      },
    ],
  ])
  expect((await web.send('PUT', { auto_refine: false })).json.warnings).toEqual([])
})

test('auto leaves the choice to the server again', async () => {
  await web.send('PUT', { language: 'de', stt_model: 'base' })
  expect((await web.send('PUT', { language: 'auto', stt_model: 'auto' })).json).toMatchObject({
    language: 'auto',
    stt_model: 'auto',
  })
  expect(web.settings.current()).toMatchObject({ language: null, sttModel: null })
})

test('refuses invalid values, names them all and changes nothing', async () => {
  const before = web.settings.current()
  const { status, json } = await web.send('PATCH', {
    language: 'klingon',
    typing_wpm: 0,
    no_speech_threshold: 1.5,
    llm_base_url: 'file:///etc/passwd',
    chord_push_to_talk_keys: [],
    trash_days: 3,
  })
  expect([status, json.code]).toEqual([422, 'invalid_request'])
  expect(json.errors.map(({ path }: { path: string }) => path).toSorted()).toEqual([
    '/chord_push_to_talk_keys',
    '/language',
    '/llm_base_url',
    '/no_speech_threshold',
    '/typing_wpm',
  ])
  expect(web.settings.current()).toBe(before)
})

test('refuses a model that does not exist, and accepts one that is not installed yet', async () => {
  const refused = await web.send('PUT', { stt_model: 'enormous', trash_days: 1 })
  expect([refused.status, refused.json.errors[0].path]).toEqual([422, '/stt_model'])
  expect(web.settings.current().trashDays).toBe(7)
  expect((await web.send('PUT', { stt_model: 'large' })).status).toBe(200)
})

test('refuses a model URL that cannot be used for downloads', async () => {
  const { status, json } = await web.send('PATCH', { model_base_url: 'https://me:secret@mirror.test' })
  expect(status).toBe(422)
  expect(json.errors).toEqual([
    { in: 'body', path: '/model_base_url', message: 'must not contain a user name or password' },
  ])
  expect(web.settings.current().modelBaseUrl).toBeNull()
})

test('refuses invalid URLs and variable names in words instead of patterns', async () => {
  const wrong = { webhook_url: 'ftp://here', llm_base_url: 'localhost', llm_api_key_env: 'sk-1234' }
  const { json } = await web.send('PATCH', wrong)
  expect(json.errors).toEqual([
    {
      in: 'body',
      path: '/llm_base_url',
      message: 'must be an address that begins with http:// or https:// or null',
    },
    {
      ...{ in: 'body', path: '/llm_api_key_env' },
      message:
        'must be the name of an environment variable that begins with DICTATION_: letters, digits and _ or null',
    },
    {
      in: 'body',
      path: '/webhook_url',
      message: 'must be an address that begins with http:// or https:// or null',
    },
  ])
})

test('accepts the default writing style', async () => {
  const chat = styles.list().find(({ name }) => name === 'Chat')!.id
  const { default_writing_style_id: first } = (await web.send('GET')).json
  expect(first).toBe(styles.default().id)
  expect((await web.send('PUT', { default_writing_style_id: chat })).json.default_writing_style_id).toBe(chat)
  expect(styles.default().id).toBe(chat)
  const unknown = await web.send('PUT', { default_writing_style_id: crypto.randomUUID() })
  expect([unknown.status, unknown.json.errors[0].path]).toEqual([422, '/default_writing_style_id'])
})

test('refuses invalid values and unknown references together', async () => {
  const unknown = crypto.randomUUID()
  const { status, json } = await web.send('PUT', {
    ...{ typing_wpm: 0, stt_model: 'enormous', default_writing_style_id: unknown },
    ...{ model_base_url: 'https://me:secret@mirror.test', trash_days: 3 },
  })
  expect(status).toBe(422)
  expect(json.errors.map(({ path }: { path: string }) => path).toSorted()).toEqual([
    ...['/default_writing_style_id', '/model_base_url', '/stt_model', '/typing_wpm'],
  ])
  expect(web.settings.current().trashDays).toBe(7)
})

test('refuses keys in URLs, and says where they belong', async () => {
  const { status, json } = await web.send('PUT', {
    llm_base_url: 'http://me:secret@127.0.0.1:11434/v1',
    webhook_url: 'https://user@example.com/hook',
  })
  expect([status, json.errors.length]).toEqual([422, 2])
  expect(json.errors[0]).toMatchObject({
    path: '/llm_base_url',
    message: expect.stringContaining('llm_api_key_env'),
  })
  expect(json.errors[1]).toMatchObject({
    path: '/webhook_url',
    message: expect.stringContaining('library.json'),
  })
})

test.each([
  ['AWS_SECRET_ACCESS_KEY', 'begins with DICTATION_'],
  ['DATABASE_URL', 'begins with DICTATION_'],
  ['dictation_llm_key', 'begins with DICTATION_'],
  ['DICTATION_TOKEN', 'the token of this server'],
  ['DICTATION_Token', 'the token of this server'],
])('refuses to send the variable %s', async (name, why) => {
  for (const method of ['PUT', 'PATCH']) {
    const { status, json } = await web.send(method, { llm_api_key_env: name, trash_days: 3 })
    expect([status, json.errors.length, json.errors[0].path]).toEqual([422, 1, '/llm_api_key_env'])
    expect(json.errors[0].message).toContain(why)
  }
  expect(web.settings.current()).toMatchObject({ llmApiKeyEnv: null, trashDays: 7 })
})

test('accepts a variable with this server’s prefix', async () => {
  const { status, json } = await web.send('PATCH', { llm_api_key_env: 'DICTATION_LLM_KEY' })
  expect([status, json.llm_api_key_env, json.warnings]).toEqual([200, 'DICTATION_LLM_KEY', []])
})

test('keeps an older setting that names another variable, with a warning', async () => {
  await web.settings.change({ llmApiKeyEnv: 'OPENAI_API_KEY' })
  const { json } = await web.send('GET')
  expect(json.llm_api_key_env).toBe('OPENAI_API_KEY')
  expect(json.warnings).toEqual([
    { code: 'llm_key_refused', message: expect.stringContaining('must begin with DICTATION_') },
  ])
  expect((await web.send('PATCH', { llm_api_key_env: null })).json.warnings).toEqual([])
})

test('applies the rules of llm_base_url and its key to engine_url, and warns while that server fails', async () => {
  const wrong = { engine_url: 'http://me:secret@gpu.test/v1', engine_key_env: 'DICTATION_TOKEN' }
  const { status, json } = await web.send('PATCH', wrong)
  expect([status, json.errors.map(({ path }: { path: string }) => path)]).toEqual([
    ...[422, ['/engine_url', '/engine_key_env']],
  ])
  expect(json.errors[0].message).toContain('set engine_key_env')
  const right = { engine_url: 'http://gpu.test/v1', engine_key_env: 'DICTATION_GPU_KEY' }
  expect((await web.send('PATCH', right)).json).toMatchObject({ ...right, warnings: [] })
  Object.assign(web.destination, { sentTo: 'http://gpu.test', problem: 'The transcription server is late.' })
  expect((await web.send('GET')).json.warnings).toEqual([
    {
      code: 'engine_unavailable',
      message: 'The transcription server is late. Until it works, this computer transcribes.',
    },
  ])
})

describe('an allowed page of another origin', () => {
  const page = 'http://localhost:5173'
  const destinations = [
    { webhook_url: 'http://evil.test/hook' },
    { llm_base_url: 'http://evil.test/v1' },
    { llm_api_key_env: 'DICTATION_OTHER_KEY' },
    { engine_url: 'http://evil.test/v1' },
    { engine_key_env: 'DICTATION_OTHER_KEY' },
    { model_base_url: 'http://evil.test' },
  ]
  const programs = ['tauri://localhost', 'app://obsidian.md', 'vscode-webview://a', 'capacitor://localhost']
  for (const destination of destinations)
    test(`refuses to let it change ${Object.keys(destination)}, also where it is an installed program's`, async () => {
      for (const origin of [page, ...programs]) {
        const { status, json } = await web.send('PATCH', { ...destination, trash_days: 3 }, origin)
        expect([status, json.code], origin).toEqual([403, 'origin_not_allowed'])
        expect(json.detail).toContain(Object.keys(destination)[0])
        expect(web.settings.current().trashDays).toBe(7)
      }
    })

  test('may change the other settings, and send back what it received', async () => {
    await web.send('PATCH', { webhook_url: 'http://own.test/hook' })
    const { json: given } = await web.send('GET', undefined, page)
    const { status, json } = await web.send('PUT', { ...given, trash_days: 3 }, page)
    expect([status, json.trash_days, json.webhook_url]).toEqual([200, 3, 'http://own.test/hook'])
  })

  test('the server’s own page may change all of them', async () => {
    for (const origin of ['http://localhost:17493', 'http://127.0.0.1:17493'])
      for (const destination of destinations)
        expect((await web.send('PATCH', destination, origin)).status).toBe(200)
  })
})

test('stores the default style and the settings together, or neither', async () => {
  const [first, second] = styles.list().filter(({ id }) => id !== styles.default().id)
  const before = styles.default().id
  const query = (text: string) => database.run((orm) => orm.execute(sql.raw(text)))
  await query("alter table library add constraint refused check (settings ->> 'trashDays' <> '3')")
  const failed = await web.send('PUT', { default_writing_style_id: first!.id, trash_days: 3 })
  await query('alter table library drop constraint refused')
  expect([failed.status, styles.default().id, web.settings.current().trashDays]).toEqual([500, before, 7])
  const held = await web.send('PUT', { default_writing_style_id: second!.id, trash_days: 3 })
  expect([held.status, styles.default().id, web.settings.current().trashDays]).toEqual([200, second!.id, 3])
})

test('announces what changed limits will remove, and removes it on confirmation', async () => {
  expect((await web.send('PATCH', { typing_wpm: 60, confirm_removal: false })).json.warnings).toEqual([])
  expect(web.calls).toEqual([])
  const changed = await web.send('PATCH', { retention_days: 30 })
  expect(changed.json.warnings).toMatchObject([{ code: 'removal_announced' }])
  expect((await web.send('GET')).json.warnings).toMatchObject([{ code: 'removal_announced' }])
  const confirmed = await web.send('PATCH', { confirm_removal: true })
  expect(confirmed.json).toMatchObject({ retention_days: 30, warnings: [] })
  expect(confirmed.json).not.toHaveProperty('confirm_removal')
  expect(web.calls).toEqual(['announce', 'confirm'])
})
