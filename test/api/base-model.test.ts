// The default model: base for any language, or tiny.en if base is too slow. These servers choose the model themselves and
// measure this computer.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BENCHMARK_FILE, MAX_MEASUREMENTS } from '../../src/models/benchmark.ts'
import { createTestFolder, type TestFolder } from '../support/database.ts'
import { samplesOf } from '../support/flac.ts'
import { baseModel, bundledModel } from '../support/ggml.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { foreignRecordings, formOf, recording, wordsApart } from '../support/speech.ts'
import { until } from '../support/until.ts'
import { wavHeader } from '../support/wav.ts'

type Answer = {
  text: string
  language: string
  model: string
  warnings: { code: string; message: string }[]
}
type Health = {
  model_size: string | null
  default_model: { model_name: string; chosen_by: string; real_time_factor: number | null }
  hint: string | null
}

const SLOW_MS = 400_000

let folder: TestFolder
let server: RunningServer
const start = () =>
  startServer({
    dataFolder: folder.dataFolder,
    env: {
      ...(folder.databaseUrl !== null && { DATABASE_URL: folder.databaseUrl }),
      DICTATION_MODEL: '',
    },
  })
beforeAll(async () => {
  folder = await createTestFolder()
  server = await start()
}, SLOW_MS)
afterAll(async () => {
  await server.stop()
  await folder[Symbol.asyncDispose]()
})

async function transcribe(file: string, fields: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(`${server.url}/transcribe`, {
    method: 'POST',
    body: await formOf(file, fields),
  })
  if (response.status !== 200) throw new Error(await response.text())
  return (await response.json()) as Answer
}

const health = async () => (await (await fetch(`${server.url}/health`)).json()) as Health

const speedFile = () => join(folder.dataFolder, BENCHMARK_FILE)

/** Restarts the server with a different measurement than the last run stored. */
async function restartWith(change: object): Promise<void> {
  await server.stop()
  const measured = JSON.parse(await readFile(speedFile(), 'utf8'))
  await writeFile(speedFile(), JSON.stringify({ ...measured, ...change }))
  server = await start()
}

/** Logged after the measurement is stored. */
const speedLine = () =>
  server.log().find(({ msg }) => msg === 'measured transcription speed on this computer')

test(
  'measures its speed after the start, reports and stores it',
  async () => {
    await until(() => speedLine() !== undefined, { timeoutMs: 300_000, what: 'the benchmark' })
    const { default_model: now, hint } = await health()
    const stored = JSON.parse(await readFile(speedFile(), 'utf8'))
    expect(stored).toMatchObject({ model: expect.any(String), realTimeFactor: now.real_time_factor })
    // The choice depends on this computer and its current load.
    expect([now.model_name, now.chosen_by]).toEqual(
      stored.realTimeFactor <= 1 ? [baseModel.name, 'size'] : [bundledModel.name, 'speed'],
    )
    expect(hint).toContain(baseModel.name)
    expect(speedLine()).toMatchObject({ realTimeFactor: stored.realTimeFactor, defaultModel: now.model_name })
  },
  SLOW_MS,
)

test(
  'transcribes Spanish in Spanish without any configuration or installed model',
  async () => {
    // Independent of the measurement of this computer.
    await restartWith({ realTimeFactor: 0.5 })
    const { text } = foreignRecordings.find(({ language }) => language === 'es')!
    const answer = await transcribe('language-es.flac')
    expect([answer.language, answer.model, answer.warnings]).toEqual(['es', baseModel.name, []])
    // Native whisper.cpp differs from the spoken text in three of twelve words.
    expect(wordsApart(answer.text, text), answer.text).toBeLessThanOrEqual(3)
  },
  SLOW_MS,
)

/** A WAV file. */
async function concatenated(...files: string[]): Promise<Uint8Array<ArrayBuffer>[]> {
  const parts = await Promise.all(files.map(samplesOf))
  const pcm = parts.map(
    (samples) => new Uint8Array(Int16Array.from(samples, (value) => value * 32767).buffer),
  )
  const dataBytes = pcm.reduce((sum, { byteLength }) => sum + byteLength, 0)
  return [wavHeader({ dataBytes, rate: 16_000, channels: 1 }), ...pcm]
}

test(
  'transcribes a recording in two languages in both, and names the language of each segment',
  async () => {
    const english = recording('human-2.flac')
    const spanish = foreignRecordings.find(({ language }) => language === 'es')!
    const body = new FormData()
    body.set('file', new File(await concatenated('language-es.flac', 'human-2.flac'), 'both.wav'))
    body.set('response_format', 'verbose_json')
    const response = await fetch(`${server.url}/transcribe`, { method: 'POST', body })
    const answer = (await response.json()) as Answer & { segments: { text: string; language: string }[] }
    const writtenIn = (language: string) =>
      answer.segments.flatMap((segment) => (segment.language === language ? segment.text : [])).join(' ')
    expect(new Set(answer.segments.map(({ language }) => language))).toEqual(new Set(['es', 'en']))
    expect(wordsApart(writtenIn('es'), spanish.text), writtenIn('es')).toBeLessThanOrEqual(4)
    expect(wordsApart(writtenIn('en'), english.text), writtenIn('en')).toBeLessThanOrEqual(2)
  },
  SLOW_MS,
)

test(
  'transcribes the sample of the README',
  async () => {
    const answer = await transcribe('human-1.flac')
    expect([answer.language, answer.model]).toEqual(['en', baseModel.name])
    expect(wordsApart(answer.text, recording('human-1.flac').text), answer.text).toBe(0)
  },
  SLOW_MS,
)

test(
  'warns once about a language that base transcribes badly',
  async () => {
    const { warnings } = await transcribe('short-01.flac', { language: 'cy' })
    expect(warnings).toEqual([
      {
        code: 'language_written_badly',
        message: expect.stringContaining('Whisper base is inaccurate in Welsh'),
      },
    ])
  },
  SLOW_MS,
)

test(
  'uses tiny.en if base was too slow before the start, unless the settings name base',
  async () => {
    await restartWith({ realTimeFactor: 3.21, measurements: MAX_MEASUREMENTS })
    await until(async () => (await health()).model_size !== null, { timeoutMs: 120_000 })
    const { default_model: now, model_size: loaded, hint } = await health()
    expect(now).toEqual({
      ...{ model_name: bundledModel.name, chosen_by: 'speed', real_time_factor: 3.21 },
    })
    expect(loaded).toBe(bundledModel.name)
    expect(hint).toContain('base-q5_1 takes 3.2 s per second of speech on this computer')
    expect((await transcribe('human-3.flac')).model).toBe(bundledModel.name)
    // A slow transcription is better than none.
    const spanish = await transcribe('language-es.flac', { language: 'es' })
    expect([spanish.model, spanish.language, spanish.warnings]).toEqual([baseModel.name, 'es', []])
    const set = (sttModel: string) =>
      fetch(`${server.url}/settings/captures`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ stt_model: sttModel }),
      })
    expect((await set('base')).status).toBe(200)
    expect((await health()).default_model).toMatchObject({
      ...{ model_name: baseModel.name, chosen_by: 'setting' },
    })
    expect((await transcribe('human-3.flac')).model).toBe(baseModel.name)
    await set('auto')
  },
  SLOW_MS,
)
