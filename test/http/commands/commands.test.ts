// Command Mode over HTTP with a real database and a stub recogniser; run-spoken.test.ts uses the engine.

import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { commandRoutes } from '../../../src/app.ts'
import { openCommands } from '../../../src/commands/commands.ts'
import type { Dictation } from '../../../src/dictation/dictation.ts'
import { fail, succeed } from '../../../src/lib/result.ts'
import { createLlmClient } from '../../../src/llm/llm-client.ts'
import type { ModelFailure } from '../../../src/models/store.ts'
import { createSettings } from '../../../src/settings/settings-store.ts'
import { openWritingStyles } from '../../../src/writing/styles.ts'
import { capture, endedJob, openArchive, said } from '../../support/archive.ts'
import { createTestFolder } from '../../support/database.ts'
import { libraryPlace } from '../../support/library.ts'
import { recordingFile } from '../../support/speech.ts'
import { webOf } from '../../support/web.ts'

const folder = await createTestFolder()
const archive = await openArchive({ folder, transcribe: async () => succeed(said('Make it upper case.')) })
const { database, dataFolder, captures } = archive
const inbox = join(dataFolder, 'inbox')
await mkdir(inbox, { recursive: true })
const place = await libraryPlace({ database, dataFolder })
const settings = createSettings(place)
settings.attach(place.library)
const styles = await openWritingStyles(place)
const commands = await openCommands({
  ...place,
  llm: createLlmClient({ readKey: () => undefined }),
  settings,
})
afterAll(async () => {
  await archive.stop()
  await folder[Symbol.asyncDispose]()
})

let hear: Dictation['transcribe'] = async () => fail({ code: 'aborted', message: 'Nobody listens.' })
const hears = (text: string, language = 'en'): Dictation['transcribe'] => {
  const heard = { ...said(text, { language }), engineText: text, corrections: 0, warnings: [] }
  return async () => succeed(heard)
}
const models = {
  async resolve(name: string | null) {
    if (name === null || name === 'base')
      return succeed({ name: 'base', path: '/', bytes: 1, multilingual: true, knowsCantonese: false })
    return fail<ModelFailure>({ code: 'unknown_model', message: `There is no model "${name}".` })
  },
}
const { call } = await webOf(
  commandRoutes({
    ...{ commands, captures, styles, models, settings },
    config: { maxUploadBytes: 3_000_000, maxQueue: 2 },
    folders: { inbox },
    activeTranscriptions: { count: 0 },
    dictation: { transcribe: (request) => hear(request) },
    shutdown: new AbortController().signal,
  }),
)

// biome-ignore lint/suspicious/noExplicitAny: what comes over the wire is looked at by the expectations
type Json = any

async function send(method: string, path: string, body?: unknown) {
  const headers = { 'content-type': 'application/json' }
  const response = await call(path, {
    method,
    ...(body !== undefined && { headers, body: JSON.stringify(body) }),
  })
  return { status: response.status, headers: response.headers, json: (await response.json()) as Json }
}
const run = (body: unknown) => send('POST', '/commands/run', body)
async function speak(fields: Record<string, string>, file: Blob = recordingFile('short-16.flac')) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new File([await file.arrayBuffer()], 'said.flac'))
  const response = await call('/commands/run', { method: 'POST', body: form })
  return { status: response.status, json: (await response.json()) as Json }
}
const placesOf = ({ errors }: Json): string[] =>
  errors.map((fault: Record<string, string>) => `${fault.in} ${fault.path}`).toSorted()

beforeEach(async () => {
  for (const { id } of commands.saved.list()) await commands.saved.remove(id)
  await commands.history.clear()
})

describe('POST /commands/run', () => {
  test('returns every member', async () => {
    const { status, json } = await run({ command: 'title case', selected_text: 'a tale of two cities' })
    expect(status).toBe(200)
    expect(json).toEqual({
      id: expect.any(String),
      ...{ status: 'succeeded', kind: 'transform', target: 'replace_selection', changed: true, keys: [] },
      command: { id: null, name: 'title case', instruction: 'title case' },
      ...{ input: 'a tale of two cities', output: 'A Tale of Two Cities', used_llm: false, model: null },
      ...{ transcript: null, duration_ms: expect.any(Number), error: null },
      created_at: expect.stringMatching(/Z$/),
    })
  })

  test('accepts instruction and text under all their names', async () => {
    for (const name of ['command', 'instruction', 'text', 'prompt'])
      for (const selection of ['selected_text', 'selection', 'input']) {
        const { json } = await run({ [name]: 'upper case', [selection]: 'abc' })
        expect(json.output, `${name} ${selection}`).toBe('ABC')
      }
    const all = { command: 'upper case', instruction: 'upper case', input: 'a', selection: 'a', text: 'a' }
    expect((await run(all)).json.output).toBe('A')
  })

  test('treats text as the selected text if there is another instruction', async () => {
    for (const name of ['command', 'instruction', 'prompt'])
      expect((await run({ [name]: 'upper case', text: 'x'.repeat(4001) })).json.output, name).toBe(
        'X'.repeat(4001),
      )
  })

  test('accepts null for absent fields, and the complete context of a client', async () => {
    const context = {
      app_name: 'Mail',
      app_id: 'm',
      window_title: 'w',
      url: 'https://x.y',
      before: 'a',
      after: null,
    }
    const style = styles.default().id
    const body = {
      command: 'upper case',
      capture_id: null,
      selected_text: 'i',
      language: 'tr',
      model: null,
      context,
    }
    const { json } = await run({ ...body, writing_style_id: style, dry_run: false, timeout_ms: 100 })
    expect(json.output).toBe('İ')
  })

  test('returns 200 if nothing was done', async () => {
    const { status, json } = await run({ command: 'what a lovely day', selected_text: 'abc' })
    expect([status, json.status, json.output, json.changed, json.error.code]).toEqual([
      200,
      'unsupported',
      'abc',
      false,
      'llm_not_configured',
    ])
    expect(json.error.message).toContain('PATCH /settings/captures {"llm_base_url": "')
  })

  test('uses the transcript of a capture as the instruction', async () => {
    const { capture: made, jobId } = await capture(archive)
    await endedJob(archive, jobId)
    for (const name of ['selected_text', 'text'])
      expect((await run({ capture_id: made.id, [name]: 'abc' })).json).toMatchObject({
        ...{ status: 'succeeded', output: 'ABC', transcript: 'Make it upper case.' },
      })
  })

  test('refuses an unknown capture', async () => {
    const id = crypto.randomUUID()
    expect(await run({ capture_id: id })).toMatchObject({ status: 404, json: { code: 'capture_not_found' } })
  })

  test('does not record a dry run', async () => {
    await run({ command: 'upper case', input: 'a', dry_run: true })
    expect((await send('GET', '/commands/history')).json.total).toBe(0)
  })

  const id = crypto.randomUUID()
  const wrong: [what: string, body: unknown, places: string[]][] = [
    ['no instruction', { selected_text: 'a' }, ['body /command']],
    ['two instructions', { command: 'a', capture_id: id }, ['body /capture_id']],
    [
      'aliases with different values',
      { command: 'a', prompt: 'b', input: 'a', selection: 'b', text: 'c' },
      ['body /input', 'body /prompt', 'body /text'],
    ],
    ['a text that is too long', { command: 'a', selected_text: 'x'.repeat(50_001) }, ['body /selected_text']],
    ['an instruction that is too long', { text: 'x'.repeat(4001) }, ['body /text']],
    ['an unknown style', { command: 'a', writing_style_id: id }, ['body /writing_style_id']],
    ['a time that is too short', { command: 'a', timeout_ms: 5 }, ['body /timeout_ms']],
    ['an unknown member of the context', { command: 'a', context: { app: 'x' } }, ['body /context/app']],
    [
      'all at once',
      { selected_text: 1, dry_run: 'yes', foo: 1 },
      ['body /command', 'body /dry_run', 'body /foo', 'body /selected_text'],
    ],
  ]
  for (const [what, body, places] of wrong)
    test(`refuses ${what}`, async () => {
      const { status, json } = await run(body)
      expect([status, json.code, placesOf(json)]).toEqual([422, 'invalid_request', places])
      expect((await send('GET', '/commands/history')).json.total).toBe(0)
    })

  test('refuses other kinds of body and names the accepted ones', async () => {
    const response = await call('/commands/run', {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: 'x',
    })
    expect([response.status, ((await response.json()) as Json).accepted]).toEqual([
      415,
      ['application/json', 'multipart/form-data'],
    ])
  })
})

describe('a spoken instruction', () => {
  test('is transcribed, executed and not stored', async () => {
    const { total: before } = await captures.list({ limit: 1, offset: 0 })
    hear = hears(' No, wait, delete the last sentence instead.')
    const { status, json } = await speak({ selected_text: 'It rains. It pours.' })
    expect([status, json.status, json.output]).toEqual([200, 'succeeded', 'It rains.'])
    expect(json.transcript.trim()).toBe('No, wait, delete the last sentence instead.')
    expect(await readdir(inbox)).toEqual([])
    expect((await captures.list({ limit: 1, offset: 0 })).total).toBe(before)
  })

  test('produces text in the language that was detected', async () => {
    hear = hears('upper case', 'tr')
    expect((await speak({ selected_text: 'i' })).json.output).toBe('İ')
    expect((await speak({ selected_text: 'i', language: 'en' })).json.output).toBe('I')
  })

  test('accepts its context as JSON', async () => {
    hear = hears('upper case')
    expect((await speak({ input: 'a', context: '{"app_name": "Mail"}', dry_run: 'true' })).json.output).toBe(
      'A',
    )
  })

  test('accepts text as the selected text', async () => {
    hear = hears('upper case')
    expect((await speak({ text: 'abc' })).json.output).toBe('ABC')
  })

  test('that is silent is no instruction', async () => {
    hear = hears('')
    expect((await speak({ selected_text: 'abc' })).json).toMatchObject({
      status: 'no_text',
      output: 'abc',
      transcript: '',
    })
  })

  test('that cannot be transcribed returns the usual error', async () => {
    hear = async () => fail({ code: 'engine_crashed', message: 'It broke.' })
    expect(await speak({ selected_text: 'abc' })).toMatchObject({
      status: 503,
      json: { code: 'engine_unavailable' },
    })
    expect(await readdir(inbox)).toEqual([])
  })

  test('refuses everything that is invalid in the form at once', async () => {
    hear = hears('upper case')
    const faults = { command: 'a', dry_run: 'perhaps', timeout_ms: '1', language: 'xx' }
    expect(placesOf((await speak(faults)).json)).toEqual([
      'form /command',
      'form /dry_run',
      'form /language',
      'form /timeout_ms',
    ])
    const inside = {
      input: 'a',
      selection: 'b',
      context: '{"app_name": 1}',
      writing_style_id: crypto.randomUUID(),
    }
    expect(placesOf((await speak(inside)).json)).toEqual(
      ['form /context/app_name', 'form /input', 'form /writing_style_id'].toSorted(),
    )
    const unknown = { timeout_ms: '1', stt_model: 'nope', writing_style_id: crypto.randomUUID() }
    expect(placesOf((await speak(unknown)).json)).toEqual([
      ...['form /stt_model', 'form /timeout_ms', 'form /writing_style_id'],
    ])
    expect(placesOf((await speak({ context: '{' })).json)).toEqual(['form /context'])
    expect((await speak({ stt_model: 'nope' })).json.code).toBe('unknown_model')
    expect((await speak({}, new Blob(['no sound']))).json.code).toBe('unsupported_audio')
    expect(await readdir(inbox)).toEqual([])
  })
})

const tidy = { name: 'Tidy list', triggers: ['tidy my list'], steps: ['sort lines', 'bullet list'] }

describe('commands', () => {
  test('are listed, built-in ones with example phrases', async () => {
    const { json } = await send('GET', '/commands')
    expect(json.total).toBe(json.items.length)
    expect(json.total).toBeGreaterThanOrEqual(60)
    for (const { id, source, name, description, examples } of json.items) {
      expect([id, source]).toEqual([null, 'built_in'])
      expect([name, description, examples[0]].every((text) => text.length > 0)).toBe(true)
    }
  })

  test('are paged, saved ones first', async () => {
    await send('POST', '/commands', tidy)
    const first = (await send('GET', '/commands?limit=2')).json
    expect(first.items.map((one: Json) => one.source)).toEqual(['saved', 'built_in'])
    expect((await send('GET', '/commands?limit=1&offset=1')).json.items).toEqual([first.items[1]])
    expect((await send('GET', '/commands?source=saved')).json.total).toBe(1)
    expect((await send('GET', '/commands?source=built_in')).json.total).toBe(first.total - 1)
  })

  test('are created, read, replaced, run and deleted', async () => {
    const made = await send('POST', '/commands', tidy)
    expect(made.status).toBe(201)
    const path = made.headers.get('location')!
    expect(path).toBe(`/commands/${made.json.id}`)
    expect(made.json).toMatchObject({
      ...tidy,
      source: 'saved',
      instructions: null,
      usage_count: 0,
      last_used_at: null,
    })
    expect((await send('GET', path)).json).toEqual(made.json)
    expect((await run({ command: 'Tidy my list!', input: 'b\na' })).json).toMatchObject({
      output: '- a\n- b',
      command: { id: made.json.id },
    })
    const replaced = await send('PUT', path, {
      name: 'Shout',
      triggers: ['shout louder'],
      steps: ['upper case'],
    })
    expect(replaced).toMatchObject({ status: 200, json: { id: made.json.id, name: 'Shout', usage_count: 1 } })
    expect((await send('DELETE', path)).status).toBe(200)
    for (const method of ['GET', 'DELETE'])
      expect((await send(method, path)).json.code).toBe('command_not_found')
    expect((await send('PUT', path, tidy)).json.code).toBe('command_not_found')
  })

  test('refuses a name or a trigger of another command', async () => {
    const { json } = await send('POST', '/commands', tidy)
    for (const more of [{ name: 'Other' }, { triggers: ['something'] }]) {
      const refused = await send('POST', '/commands', { ...tidy, ...more })
      expect(refused).toMatchObject({ status: 409, json: { code: 'command_exists', conflict_id: json.id } })
    }
    expect((await send('GET', '/commands?source=saved')).json.total).toBe(1)
  })

  test('refuses everything that is invalid in a command at once', async () => {
    const { status, json } = await send('POST', '/commands', {
      ...{ name: 'title case', triggers: ['bold', '!'], steps: ['nonsense of mine'], instructions: 'x' },
    })
    expect([status, placesOf(json)]).toEqual([
      422,
      ['body ', 'body /name', 'body /steps/0', 'body /triggers/0', 'body /triggers/1'],
    ])
    expect(placesOf((await send('POST', '/commands', { triggers: [], foo: 1 })).json)).toEqual([
      'body ',
      'body /foo',
      'body /name',
      'body /triggers',
    ])
    await send('POST', '/commands', tidy)
    expect(
      placesOf((await send('POST', '/commands', { ...tidy, steps: ['nonsense'], foo: 1 })).json),
    ).toEqual(['body /foo', 'body /name', 'body /steps/0'])
  })

  test('are replaced with an edited response', async () => {
    const { id } = (await send('POST', '/commands', tidy)).json
    const got = (await send('GET', `/commands/${id.toUpperCase()}`)).json
    await run({ command: 'tidy my list', input: 'b\na' })
    const put = await send('PUT', `/commands/${id}`, { ...got, steps: ['upper case'] })
    expect(put).toMatchObject({ status: 200, json: { id, steps: ['upper case'], usage_count: 1 } })
    const refused = await send('PUT', `/commands/${id}`, {
      ...got,
      kind: 'insert',
      created_at: '2020-01-01T00:00:00Z',
    })
    expect([refused.status, placesOf(refused.json)]).toEqual([422, ['body /created_at', 'body /kind']])
  })
})

describe('the history', () => {
  test('is listed newest first and cleared', async () => {
    for (const text of ['a', 'b']) await run({ command: 'upper case', input: text })
    const { json } = await send('GET', '/commands/history?limit=1')
    expect([json.total, json.items.length, json.items[0].output]).toEqual([2, 1, 'B'])
    expect((await send('DELETE', '/commands/history')).json).toEqual({
      message: 'The history is empty.',
      deleted: 2,
    })
    expect((await send('GET', '/commands/history')).json).toEqual({ items: [], total: 0 })
  })

  test('cannot be used as a command id', async () => {
    expect((await send('PUT', '/commands/history', tidy)).status).toBe(405)
  })
})
