// Chinese in the script that `language` names, on every route: real server, real speech, bundled model.

import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { openLive } from '../support/live.ts'
import { startServer } from '../support/server.ts'
import { until } from '../support/until.ts'

setDefaultTimeout(400_000)

const server = await startServer({ env: { DICTATION_MODEL: 'base' } })
afterAll(async () => expect(await server.stop()).toBe(0))

const speech = Bun.file(join(import.meta.dir, '../languages/speech/fleurs-zh-1883-second.ogg'))
/** Characters in which the recognised sentence differs between the scripts. */
const SIMPLIFIED = /[项于开车]/u
const TRADITIONAL = /[項於開車]/u

type Written = {
  text: string
  segments: { text: string; words: { word: string; start: number; end: number }[] }[]
  warnings: { code: string }[]
}

async function post(path: string, fields: Record<string, string>, file: Blob = speech): Promise<Response> {
  const form = new FormData()
  form.append('file', file, 'said.ogg')
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  const response = await fetch(`${server.url}${path}`, { method: 'POST', body: form })
  if (!response.ok) throw new Error(await response.text())
  return response
}

const isWritten = (text: string, script: RegExp) => {
  const other = script === SIMPLIFIED ? TRADITIONAL : SIMPLIFIED
  expect(text).toMatch(script)
  expect(text).not.toMatch(other)
}

test.each([
  ['zh-CN', SIMPLIFIED],
  ['zh-TW', TRADITIONAL],
] as const)('%s: text, segments and words agree', async (language, script) => {
  const fields = { language, word_timestamps: 'true' }
  const { text, segments, warnings } = (await (await post('/transcribe', fields)).json()) as Written
  isWritten(text, script)
  expect(segments.map((segment) => segment.text).join('')).toBe(text)
  for (const segment of segments) {
    expect(segment.words.map(({ word }) => word).join('')).toBe(segment.text.replaceAll(' ', ''))
    for (const { word, start, end } of segment.words) {
      expect(word).not.toBe('')
      expect(end).toBeGreaterThanOrEqual(start)
    }
  }
  expect(warnings.map(({ code }) => code)).not.toContain('spelling_ignored')
})

test('uses the script in captions, in streams and on the routes of other programs', async () => {
  const requests: [string, Record<string, string>][] = [
    ['/transcribe', { response_format: 'srt' }],
    ['/transcribe', { stream: 'true' }],
    ['/v1/audio/transcriptions', { model: 'whisper-1', response_format: 'verbose_json' }],
    ['/v1/audio/transcriptions', { model: 'whisper-1', stream: 'true' }],
    ['/inference', { response_format: 'text' }],
  ]
  for (const [path, fields] of requests)
    isWritten(await (await post(path, { ...fields, language: 'zh-CN' })).text(), SIMPLIFIED)
})

test('uses the script in a live session from the first words', async () => {
  const live = await openLive(server.url, { query: { language: 'zh-CN' } })
  live.send(await speech.bytes())
  live.stop()
  expect((await live.closed).code).toBe(1000)
  expect(live.of('final').length).toBeGreaterThan(0)
  const messages = [...live.of('confirmed'), ...live.of('partial'), ...live.of('final')]
  isWritten(messages.map(({ text }) => text).join(''), SIMPLIFIED)
})

test('uses the script in captures, by setting too, after retranscription and in exports', async () => {
  const settings = `${server.url}/settings/captures`
  const patch = await fetch(settings, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ language: 'zh-CN' }),
  })
  expect(await patch.json()).toMatchObject({ language: 'zh-Hans' })
  const capture = (await (await post('/captures', {})).json()) as { id: string; transcript_raw: string }
  expect(capture).toMatchObject({ language: 'zh-Hans', detected_language: 'zh' })
  isWritten(capture.transcript_raw, SIMPLIFIED)
  const again = await fetch(`${server.url}/captures/${capture.id}/retranscribe`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ language: 'zh-TW' }),
  })
  expect(again.ok).toBe(true)
  const exported = await until(
    async () => {
      const srt = await (await fetch(`${server.url}/captures/${capture.id}/export?format=srt`)).text()
      return TRADITIONAL.test(srt) ? srt : null
    },
    { timeoutMs: 300_000 },
  )
  isWritten(exported, TRADITIONAL)
  const found = await (await fetch(`${server.url}/captures?language=zh`)).json()
  expect(found).toMatchObject({ items: [{ id: capture.id, language: 'zh-TW' }] })
})

test('warns once about a regional spelling that cannot be selected', async () => {
  const silence = Bun.file(join(import.meta.dir, '../speech/nothing-silence.flac'))
  const transcribe = async (language: string) =>
    (await (await post('/transcribe', { language }, silence)).json()) as Written
  const { warnings } = await transcribe('pt-BR')
  expect(warnings.filter(({ code }) => code === 'spelling_ignored')).toEqual([
    {
      code: 'spelling_ignored',
      message: expect.stringContaining('The spelling of “pt-BR” cannot be chosen'),
    } as { code: string },
  ])
  expect((await transcribe('en-US')).warnings.map(({ code }) => code)).not.toContain('spelling_ignored')
})
