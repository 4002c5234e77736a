// Requests of programs written for whisper.cpp's server, and the responses that they expect.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { joinedSamples } from '../support/flac.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { wavOf } from '../support/wav.ts'

const recording = join(import.meta.dir, '../speech/short-01.flac')
const SAID = /local dictation service/i
const AFTERWARDS = /train to London/i

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

/** Three seconds of a recording, equally long silence, and another recording. */
const joined = async () => wavOf(await joinedSamples(['short-01.flac', 3, 'short-11.flac'])).bytes()

/** The request of its README and of its own page. */
const USUAL = { temperature: '0.0', temperature_inc: '0.2', response_format: 'json' }

describe('POST /inference', () => {
  test('returns JSON with one line per segment', async () => {
    const response = await infer(USUAL)
    expect(response.status).toBe(200)
    const answer = (await response.json()) as { text: string }
    expect(Object.keys(answer)).toEqual(['text'])
    expect(answer.text).toMatch(SAID)
    expect(answer.text).toMatch(/^ \S.*\n$/)
  })

  test('returns JSON by default', async () => {
    expect(await (await infer({})).json()).toEqual({ text: expect.stringMatching(SAID) })
  })

  test('returns text, subtitles and WebVTT', async () => {
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

  test('returns verbose_json with segments whose words make up the text', async () => {
    const response = await infer({ response_format: 'verbose_json', temperature: '0.2', language: 'en' })
    // biome-ignore lint/suspicious/noExplicitAny: the expectations check the shape of the response
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

  test('reports fields of that server without effect in the log, in JSON and in a header', async () => {
    const fields = { ...USUAL, best_of: '2', temperature: '0.4', carry_initial_prompt: 'true' }
    const response = await infer(fields)
    expect(response.status).toBe(200)
    const logLine = server.log().find(({ ignored }) => Array.isArray(ignored))
    expect(logLine?.ignored).toEqual(['best_of', 'carry_initial_prompt'])
    const message =
      'These fields have no effect here and were ignored: best_of, carry_initial_prompt, temperature.'
    expect(await response.json()).toMatchObject({ warnings: [{ code: 'fields_ignored', message }] })
    const subtitles = await infer({ ...fields, response_format: 'srt' })
    expect(subtitles.headers.get('warning')).toBe(`299 - "${message}"`)
    const usual = await infer(USUAL)
    expect([usual.headers.get('warning'), await usual.json()]).toEqual([null, { text: expect.any(String) }])
  })

  test('also reports what could not be done', async () => {
    const response = await infer({ ...USUAL, language: 'en-GB', best_of: '2' })
    expect(await response.json()).toMatchObject({
      warnings: [{ code: 'fields_ignored' }, { code: 'spelling_ignored' }],
    })
    const subtitles = await infer({ language: 'en-GB', response_format: 'srt' })
    expect(subtitles.headers.get('warning')).toStartWith(`299 - "The spelling of 'en-GB' cannot be chosen;`)
  })

  describe('excerpts', () => {
    const verboseOf = async (fields: Record<string, string>) => {
      const response = await infer(
        { response_format: 'verbose_json', language: 'en', ...fields },
        await joined(),
      )
      expect(response.status).toBe(200)
      // biome-ignore lint/suspicious/noExplicitAny: the expectations check the shape of the response
      return (await response.json()) as any
    }

    test('begin at offset_t, with times of the whole recording', async () => {
      const whole = await verboseOf({})
      expect(whole.text).toMatch(SAID)
      expect(whole.text).toMatch(AFTERWARDS)
      const later = await verboseOf({ offset_t: '5500' })
      expect(later.text).not.toMatch(SAID)
      expect(later.text).toMatch(AFTERWARDS)
      expect(later.duration).toBe(whole.duration)
      expect(later.segments[0].start).toBeGreaterThanOrEqual(5.5)
      expect(later.segments[0].words[0].start).toBeGreaterThanOrEqual(5.5)
    })

    test('end after duration', async () => {
      const beginning = await verboseOf({ duration: '5000' })
      expect(beginning.text).toMatch(SAID)
      expect(beginning.text).not.toMatch(AFTERWARDS)
      const nothing = await verboseOf({ offset_t: '3900', duration: '800' })
      expect(nothing.text).toBe('')
      expect((await verboseOf({ offset_t: '600000' })).segments).toEqual([])
      expect((await verboseOf({ duration: '50' })).segments).toEqual([])
    })

    test('are the same without speech detection', async () => {
      const later = await verboseOf({ offset_t: '5500', vad: 'false' })
      expect(later.text).not.toMatch(SAID)
      expect(later.text).toMatch(AFTERWARDS)
    })
  })

  test('splits segments at max_len between words, each with its times', async () => {
    const fields = { response_format: 'verbose_json', max_len: '16', split_on_word: 'true' }
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const { segments, text } = (await (await infer(fields)).json()) as any
    expect(segments.length).toBeGreaterThan(2)
    for (const [index, one] of segments.entries()) {
      expect(one.text.length <= 16 || one.words.length === 1).toBe(true)
      expect(one.words.map(({ word }: { word: string }) => word).join('')).toBe(one.text)
      expect(one.start).toBeGreaterThanOrEqual(segments[index - 1]?.end ?? 0)
    }
    expect(text.replaceAll('\n', '')).toMatch(SAID)
    const words = await (await infer({ response_format: 'srt', max_len: '1', offset_n: '10' })).text()
    expect(words).toMatch(/^11\n[^\n]+\n\S+\n\n12\n/)
  })

  test('omits times and languages on request', async () => {
    const fields = {
      response_format: 'verbose_json',
      no_timestamps: 'true',
      no_language_probabilities: 'true',
    }
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const plain = (await (await infer(fields)).json()) as any
    expect(Object.keys(plain)).not.toContain('detected_language')
    expect(Object.keys(plain.segments[0])).not.toContain('start')
    expect(Object.keys(plain.segments[0].words[0])).toEqual(['word', 'probability'])
  })

  test('only detects the language', async () => {
    const response = await infer({ response_format: 'verbose_json', detect_language: 'true' })
    expect(await response.json()).toMatchObject({ text: '', segments: [], language: 'english' })
  })

  test('refuses speaker diarization and invalid excerpts', async () => {
    for (const [name, value, why] of [
      ['diarize', 'true', 'diarize must be false'],
      ['tinydiarize', 'true', 'tinydiarize must be false'],
      ['offset_t', '-5', 'offset_t must be at least 0'],
      ['duration', 'abc', 'duration must be a whole number'],
      ['max_len', '1.5', 'max_len must be a whole number'],
    ] as const) {
      const response = await infer({ ...USUAL, [name]: value })
      expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([
        422,
        expect.stringContaining(why),
      ])
    }
    expect((await infer({ ...USUAL, diarize: 'false' })).status).toBe(200)
  })

  test('refuses in that server’s format, with a message', async () => {
    const errorOf = async (response: Response) => {
      const body = (await response.json()) as { error: string }
      expect(Object.keys(body)).toEqual(['error', 'code'])
      return [response.status, body.error] as const
    }
    const [status, error] = await errorOf(await infer({ response_format: 'docx' }))
    expect([status, error]).toEqual([422, expect.stringContaining('response_format must be one of json')])
    expect(await errorOf(await infer({}, Buffer.from('no audio, but a text that is long enough')))).toEqual([
      415,
      expect.stringContaining('There is no sound in it'),
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
