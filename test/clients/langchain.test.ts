import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type RunningServer, startServer } from '../support/server.ts'
import { askPython } from './ask-python.ts'
import { LANGCHAIN, modulesOf } from './npm-clients.ts'
import { pythonWith, LANGCHAIN as WITH_PYTHON } from './venvs.ts'

const recording = join(import.meta.dir, '../speech/short-01.flac')
const wav = join(import.meta.dir, '../speech/formats/wav-s16.wav')
const SAID = /local dictation service/i
const SAID_IN_WAV = /made amiable himself/i

let server: RunningServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const python = pythonWith(WITH_PYTHON)
describe.skipIf(python === null)('LangChain for Python', () => {
  let answers: Record<string, unknown>
  beforeAll(async () => {
    answers = await askPython(python!, 'langchain_parsers.py', server.url, recording, wav)
  })

  test('gets a document for each part that it sends as MP3, in every format', () => {
    expect(answers.openai).toMatch(SAID_IN_WAV)
    expect(answers.openai_options).toMatch(SAID_IN_WAV)
    const formats = answers.openai_formats as Record<string, string>
    for (const text of Object.values(formats)) expect(text).toMatch(SAID_IN_WAV)
    expect(formats.srt).toMatch(/^1\n00:00:00,\d{3} --> /)
    expect(formats.vtt).toMatch(/^WEBVTT\n\n/)
  })

  test('gets documents from the Azure address, in every format', () => {
    expect(answers.azure).toMatch(SAID)
    for (const text of Object.values(answers.azure_formats as object)) expect(text).toMatch(SAID)
    expect(answers.loaded).toEqual([expect.stringMatching(SAID)])
  })

  test('throws an error of OpenAI’s client', () => {
    expect(answers.refused).toEqual({ status: 422, code: 'invalid_request' })
  })
})

const modules = await modulesOf(LANGCHAIN, ['@langchain/community/document_loaders/fs/openai_whisper_audio'])
describe.skipIf(modules === null)('LangChain for JavaScript', () => {
  const load = (file: string | Blob, transcriptionCreateParams?: object) => {
    const clientOptions = { apiKey: 'not needed', baseURL: `${server.url}/v1`, maxRetries: 0 }
    const [{ OpenAIWhisperAudio } = {}] = modules!
    return new OpenAIWhisperAudio(file, { clientOptions, transcriptionCreateParams }).load()
  }
  const document = { pageContent: expect.stringMatching(SAID), metadata: { source: recording } }

  test('gets a document from a file', async () => {
    expect(await load(recording)).toMatchObject([document])
    const options = { language: 'en', prompt: 'Ada', temperature: 0 }
    expect(await load(recording, options)).toMatchObject([document])
  })

  test('gets a document from a verbose response', async () => {
    const verbose = { response_format: 'verbose_json', timestamp_granularities: ['word', 'segment'] }
    expect(await load(recording, verbose)).toMatchObject([document])
  })

  test('gets a document from a blob, whose type it sends as the file name', async () => {
    const blob = new Blob([await readFile(recording)], { type: 'audio/flac' })
    expect(await load(blob)).toMatchObject([{ pageContent: expect.stringMatching(SAID) }])
  })

  test('throws an error of OpenAI’s client', async () => {
    const error = await load(recording, { model: 'nope' }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ status: 422, code: 'unknown_model', param: 'model' })
  })
})
