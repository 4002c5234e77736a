// The dictionary routes on a real database and file; the bundled model counts tokens.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Database } from '../../../db/database.ts'
import { dictionaryRoutes } from '../../../src/app.ts'
import { fail, succeed } from '../../../src/lib/result.ts'
import { DEFAULT_SETTINGS, type Settings } from '../../../src/settings/settings.ts'
import { openDictionary } from '../../../src/writing/dictionary.ts'
import { createTokenCounters } from '../../../src/writing/token-counter.ts'
import { createTestFolder, type TestFolder } from '../../support/database.ts'
import { libraryPlace } from '../../support/library.ts'
import { type Call, webOf } from '../../support/web.ts'

// biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the expectations say
type Json = Record<string, any>

const UNKNOWN = '0197aaaa-0000-7000-8000-0000000000ff'
const path = join(import.meta.dir, '../../../src/models/ggml-tiny.en-q5_1.bin')
const model = { name: 'tiny.en-q5_1', path, bytes: 1, multilingual: false, knowsCantonese: false }
const clock = () => new Date('2026-03-04T15:06:07.000Z')

let folder: TestFolder
let database: Database
let call: Call
let settings: Settings = DEFAULT_SETTINGS

beforeAll(async () => {
  folder = await createTestFolder()
  database = await folder.open()
  const dictionary = await openDictionary(
    await libraryPlace({ database, dataFolder: folder.dataFolder, clock }),
  )
  const models = {
    resolve: async (name: string | null) =>
      name === null
        ? succeed(model)
        : fail({ code: 'model_not_installed' as const, message: 'It is not installed.' }),
  }
  const deps = {
    dictionary,
    models,
    settings: { current: () => settings },
    tokenCounters: createTokenCounters(),
  }
  call = (await webOf(dictionaryRoutes(deps, clock))).call
})

beforeEach(async () => {
  settings = DEFAULT_SETTINGS
  await ask('DELETE', '/dictionary?confirm=true')
})

afterAll(async () => {
  await database.close()
  await folder[Symbol.asyncDispose]()
})

async function ask(method: string, url: string, body?: object): Promise<{ status: number; json: Json }> {
  const headers = body === undefined ? {} : { 'content-type': 'application/json' }
  const response = await call(url, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  return { status: response.status, json: (await response.json()) as Json }
}

const add = async (body: object): Promise<Json> => (await ask('POST', '/dictionary', body)).json
const faultsIn = ({ json }: { json: Json }) => json.errors.map((one: Json) => `${one.path} ${one.message}`)

async function upload(body: string | Uint8Array, type: string, query = '') {
  const response = await call(`/dictionary/import${query}`, {
    method: 'POST',
    headers: { 'content-type': type },
    body: body as BodyInit,
  })
  return { status: response.status, json: (await response.json()) as Json }
}

const download = async (format: string) => (await call(`/dictionary/export?format=${format}`)).text()

describe('entries', () => {
  test('fills in everything except the word of a term', async () => {
    const response = await call('/dictionary', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"word": " Kubernetes "}',
    })
    const made = (await response.json()) as Json
    expect(response.status).toBe(201)
    expect(response.headers.get('location')).toBe(`/dictionary/${made.id}`)
    expect(made).toEqual({
      ...{ id: made.id, type: 'term', word: 'Kubernetes', replacement: null, aliases: [], language: null },
      ...{ case_sensitive: false, whole_word: true, is_regex: false, enabled: true, priority: 0 },
      ...{ source: 'manual', usage_count: 0, last_used_at: null },
      ...{ created_at: '2026-03-04T15:06:07.000Z', updated_at: '2026-03-04T15:06:07.000Z' },
    })
    expect((await ask('GET', `/dictionary/${made.id.toUpperCase()}`)).json).toEqual(made)
  })

  test('PATCH changes the given fields, PUT replaces all', async () => {
    const { id } = await add({ word: 'btw', replacement: 'by the way', priority: 4, source: 'learned' })
    expect((await ask('PATCH', `/dictionary/${id}`, { enabled: false })).json).toMatchObject({
      ...{ word: 'btw', replacement: 'by the way', priority: 4, enabled: false },
    })
    expect((await ask('PUT', `/dictionary/${id}`, { word: 'BTW', replacement: '' })).json).toMatchObject({
      ...{ word: 'BTW', replacement: null, type: 'term', priority: 0, enabled: true, source: 'learned' },
    })
  })

  test('treats a word without a replacement as a term, and omits it only if requested', async () => {
    const text = 'Please call Siobhan tomorrow.'
    const left = async () => (await ask('POST', '/dictionary/test', { text })).json.text
    for (const replacement of ['', '  ', null]) {
      const made = await add({ word: 'Siobhan', replacement })
      expect(made).toMatchObject({ type: 'term', replacement: null })
      expect(await left()).toBe(text)
      await ask('DELETE', `/dictionary/${made.id}`)
    }
    const { id } = await add({ word: 'Siobhan', replacement: 'Shivaun' })
    for (const patch of [{ replacement: '' }, { type: 'snippet', replacement: '' }])
      expect(faultsIn(await ask('PATCH', `/dictionary/${id}`, patch))).toEqual([
        '/replacement must not be empty; to remove the word, use the type `omit`',
      ])
    expect(await left()).toBe('Please call Shivaun tomorrow.')
    const omitted = await ask('PATCH', `/dictionary/${id}`, { type: 'omit', replacement: null })
    expect(omitted.json).toMatchObject({ type: 'omit', replacement: null })
    expect(await left()).toBe('Please call tomorrow.')
    expect((await ask('GET', '/dictionary?type=omit')).json.total).toBe(1)
  })

  test('filters, searches ignoring case and accents, and pages lists, newest first', async () => {
    await add({ word: 'Café', language: 'fr' })
    await add({ word: 'btw', replacement: 'by the WAY', aliases: ['bee tee'] })
    await add({ word: 'sig', type: 'snippet', replacement: 'x', enabled: false })
    const words = async (query: string) =>
      (await ask('GET', `/dictionary?${query}`)).json.items.map(({ word }: Json) => word)
    expect(await words('')).toEqual(['sig', 'btw', 'Café'])
    expect(await words('q=CAFE')).toEqual(['Café'])
    expect(await words('q=the%20way')).toEqual(['btw'])
    expect(await words('q=TEE')).toEqual(['btw'])
    expect(await words('type=snippet')).toEqual(['sig'])
    expect(await words('enabled=true')).toEqual(['btw', 'Café'])
    expect(await words('language=fr')).toEqual(['Café'])
    expect((await ask('GET', '/dictionary?limit=1&offset=1')).json).toMatchObject({
      items: [{ word: 'btw' }],
      total: 3,
    })
  })

  test('deletes an entry', async () => {
    const { id } = await add({ word: 'a' })
    expect((await ask('DELETE', `/dictionary/${id}`)).json).toEqual({
      message: `Dictionary entry ${id} deleted`,
    })
    expect((await ask('GET', `/dictionary/${id}`)).json.code).toBe('dictionary_entry_not_found')
  })

  test('refuses an existing word, with the id of its entry', async () => {
    const { id } = await add({ word: 'Kubernetes' })
    const refused = await ask('POST', '/dictionary', { word: 'KUBERNETES' })
    expect([refused.status, refused.json.code, refused.json.conflict_id]).toEqual([
      409,
      'dictionary_entry_exists',
      id,
    ])
    const other = await add({ word: 'other' })
    const renamed = await ask('PATCH', `/dictionary/${other.id}`, { word: 'kubernetes' })
    expect([renamed.status, renamed.json.conflict_id]).toEqual([409, id])
  })

  test('refuses unknown entries', async () => {
    for (const [method, body] of [
      ['GET'],
      ['DELETE'],
      ['PUT', { word: 'a' }],
      ['PATCH', { enabled: true }],
    ] as const)
      expect((await ask(method, `/dictionary/${UNKNOWN}`, body)).json.code).toBe('dictionary_entry_not_found')
  })

  test('refuses every error at once: in the schema and in the meaning', async () => {
    const wrong = { type: 'term', word: '(a', is_regex: true, replacement: 'b', priority: 1.5, colour: 'red' }
    const refused = await ask('POST', '/dictionary', wrong)
    expect(refused.status).toBe(422)
    expect(faultsIn(refused)).toEqual([
      '/colour is not known here',
      expect.stringContaining('/priority must be a whole number'),
      '/replacement must be null for a term; make it a replacement instead',
      '/is_regex cannot be true for a term: only words can be recognised',
      '/word is not a pattern: missing closing ) in (a',
    ])
    expect((await ask('GET', '/dictionary')).json.total).toBe(0)
  })

  test('refuses the same input in the same way everywhere', async () => {
    expect(faultsIn(await ask('POST', '/dictionary', { word: '' }))).toEqual(['/word must not be empty'])
  })

  test('refuses a change that makes an entry invalid, and changes nothing', async () => {
    const { id } = await add({ word: 'a+', replacement: 'b' })
    expect(faultsIn(await ask('PATCH', `/dictionary/${id}`, { type: 'term' }))).toEqual([
      '/replacement must be null for a term; make it a replacement instead',
    ])
    expect(faultsIn(await ask('PATCH', `/dictionary/${id}`, { is_regex: true, word: 'a(?=b)' }))).toEqual([
      '/word uses lookahead or lookbehind, which is not supported',
    ])
    expect((await ask('GET', `/dictionary/${id}`)).json).toMatchObject({
      type: 'replacement',
      is_regex: false,
    })
  })

  test('refuses an existing word together with all other errors', async () => {
    const { id } = await add({ word: 'Anna' })
    const other = await add({ word: 'Berta' })
    for (const [method, path] of [
      ['POST', '/dictionary'],
      ['PUT', `/dictionary/${other.id}`],
      ['PATCH', `/dictionary/${other.id}`],
    ] as const)
      expect(faultsIn(await ask(method, path, { word: 'anna', priority: 'high' }))).toEqual([
        expect.stringContaining('/priority must be'),
        '/word is in the dictionary already',
      ])
    expect(faultsIn(await ask('PATCH', `/dictionary/${id}`, { type: 'snippet', priority: 'high' }))).toEqual([
      expect.stringContaining('/priority must be'),
      '/replacement is required for a snippet',
    ])
  })

  test('accepts an edited response', async () => {
    const { id } = await add({ word: 'Anna' })
    for (const method of ['PUT', 'PATCH']) {
      const got = (await ask('GET', `/dictionary/${id}`)).json
      const put = await ask(method, `/dictionary/${id}`, { ...got, priority: 5, usage_count: 99 })
      expect(put).toMatchObject({ status: 200, json: { priority: 5, usage_count: 0 } })
      const refused = await ask(method, `/dictionary/${id}`, { ...got, id: UNKNOWN })
      expect(faultsIn(refused)).toEqual(['/id cannot be changed; leave it out, or send it as GET returns it'])
    }
  })

  test('deletes all entries only with confirmation', async () => {
    await add({ word: 'a' })
    for (const query of ['', '?confirm=false', '?confirm=yes'])
      expect((await ask('DELETE', `/dictionary${query}`)).status).toBe(422)
    expect((await ask('GET', '/dictionary')).json.total).toBe(1)
    expect((await ask('DELETE', '/dictionary?confirm=true')).json).toEqual({
      ...{ message: '1 dictionary entries deleted', deleted: 1 },
    })
  })
})

describe('files', () => {
  const content = (items: Json[]) => items.map(({ id: _id, updated_at: _at, ...rest }) => rest)

  test.each(['json', 'csv', 'txt'])('imports a dictionary exported as %s', async (format) => {
    await add({ word: 'Kubernetes', aliases: ['cooper | netties', '=1+1'], priority: -3 })
    await add({
      word: 'my address',
      type: 'snippet',
      replacement: 'Main "St" 1,\n{{date}}; @home \\n',
      language: 'en',
    })
    await add({
      word: '(\\d+) percent',
      replacement: '$1 %',
      is_regex: true,
      whole_word: false,
      source: 'learned',
    })
    await add({ word: '-um', type: 'omit', case_sensitive: true, enabled: false })
    const before = (await ask('GET', '/dictionary')).json.items
    const file = await download(format)
    await ask('DELETE', '/dictionary?confirm=true')
    const type = { json: 'application/json', csv: 'text/csv; charset=utf-8', txt: 'text/plain' }[format]!
    const { json } = await upload(file, type, '?mode=replace')
    expect(json).toEqual({ imported: 4, updated: 0, skipped: 0, errors: [] })
    expect(content((await ask('GET', '/dictionary')).json.items)).toEqual(content(before))
    expect((await upload(file, type)).json).toEqual({ imported: 0, updated: 0, skipped: 4, errors: [] })
  })

  test('suggests a file name', async () => {
    const response = await call('/dictionary/export?format=csv')
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(response.headers.get('content-disposition')).toContain('dictionary.csv')
  })

  test('merges the valid lines and reports each invalid one', async () => {
    const csv = 'word,replacement,priority,language\na,b,,\n,c,,\nd,e,high,xx\n"(",,,\n'
    const { status, json } = await upload(csv, 'text/csv')
    expect([status, json.imported]).toEqual([200, 2])
    expect(json.errors.map(({ line, field }: Json) => [line, field])).toEqual([
      [3, 'word'],
      [4, 'language'],
      [4, 'priority'],
    ])
  })

  test('refuses to replace everything with a file that has an invalid line, and changes nothing', async () => {
    await add({ word: 'precious' })
    const refused = await upload('good\nbad ;; priority=x\n# fine\n', 'text/plain', '?mode=replace')
    expect([refused.status, faultsIn(refused)]).toEqual([
      422,
      [expect.stringContaining('is invalid in line 2: priority')],
    ])
    expect((await ask('GET', '/dictionary')).json.total).toBe(1)
  })

  test('a dry run reports what would be added, changed, removed and refused, and changes nothing', async () => {
    await add({ word: 'btw', replacement: 'by the way' })
    await add({ word: 'precious' })
    const csv = 'Find,Replace\nbtw,BTW\nteh,the\n,x\nSiobhan,\n'
    const before = await download('json')
    const { json } = await upload(csv, 'text/csv', '?dry_run=true')
    expect(json).toMatchObject({ imported: 2, updated: 1, skipped: 0, removed: 0, dry_run: true })
    expect(
      json.changes.map(({ change, entry }: Json) => [change, entry.type, entry.word, entry.replacement]),
    ).toEqual([
      ['updated', 'replacement', 'btw', 'BTW'],
      ['added', 'replacement', 'teh', 'the'],
      ['added', 'term', 'Siobhan', null],
    ])
    expect(json.errors).toMatchObject([{ line: 4, field: 'word' }])
    const whole = await upload('a\n', 'text/plain', '?dry_run=true&mode=replace')
    expect(whole.json).toMatchObject({ imported: 1, removed: 2 })
    expect(await download('json')).toBe(before)
  })

  test('asks whether an ambiguous first row is a header, and accepts the answer', async () => {
    const csv = 'original,foo\nteh,the\n'
    const asked = await upload(csv, 'text/csv')
    expect(asked.json.errors).toMatchObject([{ in: 'query', path: '/header' }])
    expect(asked.json.detail).toContain('header=false')
    expect((await ask('GET', '/dictionary')).json.total).toBe(0)
    expect((await upload(csv, 'text/csv', '?header=true')).json.imported).toBe(1)
    expect((await upload('a\tb\n', 'text/tab-separated-values')).json.imported).toBe(1)
    expect((await upload(csv, 'text/csv', '?header=false')).json).toMatchObject({ imported: 1, skipped: 1 })
  })

  test('treats an empty replacement in a file as omit only as an export writes it', async () => {
    const entries = [
      { word: 'Siobhan', replacement: '' },
      { word: 'um', type: 'replacement', replacement: '' },
    ]
    await upload(JSON.stringify({ entries }), 'application/json')
    await upload('Ada,\n', 'text/csv')
    const { json } = await upload('Grace =>\nuh ;; type=omit\n', 'text/plain')
    expect(json.errors).toMatchObject([{ line: 1, field: 'replacement' }])
    const kinds = (await ask('GET', '/dictionary')).json.items.map(({ word, type }: Json) => [word, type])
    expect(Object.fromEntries(kinds)).toEqual({ Siobhan: 'term', um: 'omit', Ada: 'term', uh: 'omit' })
  })

  test('`format` takes effect if the media type does not state the format', async () => {
    expect((await upload('word\nElysia\n', 'text/plain', '?format=csv')).json.imported).toBe(1)
    expect((await ask('GET', '/dictionary')).json.items).toMatchObject([{ word: 'Elysia', source: 'import' }])
  })

  test.each<[string, string | Uint8Array, string, number, string]>([
    ['invalid JSON', '{"entries": [', 'application/json', 400, 'malformed_json'],
    ['JSON that is not a list', '{"a": 1}', 'application/json', 422, 'invalid_request'],
    ['invalid CSV', 'word\n"a', 'text/csv', 422, 'invalid_request'],
    ['bytes that are not text', new Uint8Array([0x61, 0xff]), 'text/plain', 422, 'invalid_request'],
    ['another type', 'a', 'application/xml', 415, 'unsupported_media_type'],
    ['more than a dictionary can hold', 'a\n'.repeat(9 * 1024 * 1024), 'text/plain', 413, 'body_too_large'],
  ])('refuses %s', async (_what, body, type, status, code) => {
    const refused = await upload(body, type)
    expect([refused.status, refused.json.code]).toEqual([status, code])
  })

  test('refuses dates that no calendar or database has', async () => {
    const entries = ['0000-01-01T00:00:00Z', '2026-02-30T00:00:00Z'].flatMap((moment) => [
      { word: `made ${moment}`, created_at: moment },
      { word: `used ${moment}`, last_used_at: moment },
    ])
    const { status, json } = await upload(JSON.stringify({ entries }), 'application/json')
    expect(status).toBe(200)
    expect(json.imported).toBe(0)
    expect(json.errors.map(({ field }: Json) => field)).toEqual([
      ...['created_at', 'last_used_at', 'created_at', 'last_used_at'],
    ])
  })

  test('refuses text that databases cannot store', async () => {
    const { json } = await upload('["a\\u0000b", "c"]', 'application/json')
    expect(json).toMatchObject({ imported: 1, errors: [{ line: 1, field: 'word' }] })
  })
})

describe('testing the dictionary', () => {
  test('changes a text in the same way as a transcript', async () => {
    const { id } = await add({ word: 'git hub', replacement: 'GitHub' })
    const term = await add({ word: 'Kubernetes' })
    settings = { ...DEFAULT_SETTINGS, initialPrompt: 'About work.' }
    const { json } = await ask('POST', '/dictionary/test', { text: 'Git hub and kubernetes' })
    expect(json).toEqual({
      text: 'GitHub and kubernetes',
      applied: [{ id, count: 1 }],
      seen: [{ id: term.id, count: 1 }],
      missing: [],
      too_slow: [],
      prompt: 'About work. Kubernetes.',
      prompt_tokens: expect.any(Number),
      dropped: [],
    })
    expect(json.prompt_tokens).toBeLessThan(10)
    expect((await ask('GET', `/dictionary/${id}`)).json.usage_count).toBe(0)
  })

  test('tests an entry in place of the one that it would replace, without storing it', async () => {
    await add({ word: 'sig', replacement: 'old' })
    const entry = { word: 'SIG', type: 'snippet', replacement: '{{date}} {{clipboard}}' }
    const { json } = await ask('POST', '/dictionary/test', { text: 'sig', entry, language: 'de' })
    expect(json).toMatchObject({
      text: '4. März 2026 ',
      applied: [{ id: '00000000-0000-0000-0000-000000000000', count: 1 }],
      missing: [{ placeholder: 'clipboard' }],
    })
    const pasted = await ask('POST', '/dictionary/test', {
      text: 'sig',
      entry,
      language: 'de',
      clipboard: 'pasted',
    })
    expect(pasted.json.text).toBe('4. März 2026 pasted')
    expect((await ask('GET', '/dictionary')).json).toMatchObject({
      total: 1,
      items: [{ replacement: 'old' }],
    })
  })

  test('reports terms that do not fit into the prompt', async () => {
    const many = Array.from({ length: 300 }, (_, i) => `Kubernetes${i} ;; priority=${i}`).join('\n')
    await upload(many, 'text/plain')
    const { json } = await ask('POST', '/dictionary/test', { text: '' })
    expect(json.prompt).toEndWith(' Kubernetes299.')
    expect(json.prompt_tokens).toBeLessThanOrEqual(223)
    expect(json.dropped.length + json.prompt.split(', ').length).toBe(300)
  })

  test('refuses an invalid text and an invalid entry at once', async () => {
    const refused = await ask('POST', '/dictionary/test', {
      text: 1,
      entry: { word: 'a(?=b)', is_regex: true, type: 'omit' },
    })
    expect(faultsIn(refused)).toEqual([
      '/text must be text',
      '/entry/word uses lookahead or lookbehind, which is not supported',
    ])
  })
})
