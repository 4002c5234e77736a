// Requests as programs send them that were written for whisper.cpp's server, and the answers as those read them.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type RunningServer, startServer } from '../support/server.ts'

const recording = join(import.meta.dir, '../speech/short-01.flac')
const SAID = /local dictation service/i

let server: RunningServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

async function infer(fields: Record<string, string>, file: Uint8Array | null = null): Promise<Response> {
  const form = new FormData()
  form.set('file', new File([new Uint8Array(file ?? (await readFile(recording)))], 'audio.wav'))
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return fetch(`${server.url}/inference`, { method: 'POST', body: form })
}

/** As its README has the request, and its own page. */
const USUAL = { temperature: '0.0', temperature_inc: '0.2', response_format: 'json' }

describe('POST /inference', () => {
  test('answers JSON with a line for each segment', async () => {
    const response = await infer(USUAL)
    expect(response.status).toBe(200)
    const answer = (await response.json()) as { text: string }
    expect(Object.keys(answer)).toEqual(['text'])
    expect(answer.text).toMatch(SAID)
    expect(answer.text).toMatch(/^ \S.*\n$/)
  })

  test('is JSON too where nothing is asked for', async () => {
    expect(await (await infer({})).json()).toEqual({ text: expect.stringMatching(SAID) })
  })

  test('answers text, subtitles and WebVTT', async () => {
    const text = await infer({ response_format: 'text' })
    expect(text.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await text.text()).toMatch(SAID)
    const srt = await infer({ response_format: 'srt' })
    expect(srt.headers.get('content-type')).toStartWith('application/x-subrip')
    expect(await srt.text()).toMatch(/^1\n00:00:00,\d{3} --> /)
    const vtt = await infer({ response_format: 'vtt' })
    expect(vtt.headers.get('content-type')).toStartWith('text/vtt')
    expect(await vtt.text()).toMatch(/^WEBVTT\n\n/)
  })

  test('is verbose with segments whose words make up their text', async () => {
    const response = await infer({ response_format: 'verbose_json', temperature: '0.2', language: 'en' })
    // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the expectations say
    const verbose = (await response.json()) as any
    expect(verbose).toMatchObject({ task: 'transcribe', language: 'english', duration: expect.any(Number) })
    const [first] = verbose.segments
    expect(first).toMatchObject({ id: 0, tokens: [], temperature: 0.2, avg_logprob: expect.any(Number) })
    expect(first.text).toMatch(/^ \S/)
    expect(first.end).toBeGreaterThan(first.start)
    expect(first.words.map(({ word }: { word: string }) => word).join('')).toBe(first.text)
    expect(first.words[0]).toMatchObject({ t_dtw: -1, probability: expect.any(Number) })
    expect(verbose.text).toBe(`${first.text}\n`)
  })

  test('ignores that server’s other fields, and names them in the log', async () => {
    const response = await infer({
      ...USUAL,
      best_of: '2',
      no_timestamps: 'true',
      carry_initial_prompt: 'true',
    })
    expect(response.status).toBe(200)
    const told = server.log().find(({ ignored }) => Array.isArray(ignored))
    expect(told?.ignored).toEqual(['best_of', 'no_timestamps', 'carry_initial_prompt'])
  })

  test('refuses in that server’s shape, with a sentence', async () => {
    const errorOf = async (response: Response) => {
      const body = (await response.json()) as { error: string }
      expect(Object.keys(body)).toEqual(['error', 'code'])
      return [response.status, body.error] as const
    }
    const [status, error] = await errorOf(await infer({ response_format: 'docx' }))
    expect([status, error]).toEqual([422, expect.stringContaining('response_format must be one of json')])
    expect(await errorOf(await infer({}, Buffer.from('no audio, but a text that is long enough')))).toEqual([
      415,
      expect.stringContaining('not a recording'),
    ])
    expect(await errorOf(await infer({ translate: 'true' }))).toEqual([
      422,
      expect.stringContaining('cannot translate'),
    ])
    expect(await errorOf(await infer({ language: 'de' }))).toEqual([
      422,
      expect.stringContaining('knows only English'),
    ])
    const without = new FormData()
    without.set('temperature', '0')
    const empty = await fetch(`${server.url}/inference`, { method: 'POST', body: without })
    expect(await errorOf(empty)).toEqual([422, 'file is required.'])
    const elsewhere = await fetch(`${server.url}/inference`)
    expect((await errorOf(elsewhere))[0]).toBe(405)
  })
})
