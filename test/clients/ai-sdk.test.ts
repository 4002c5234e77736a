import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type RunningServer, startServer } from '../support/server.ts'
import { AI_SDK, modulesOf } from './npm-clients.ts'

const packages = await modulesOf(AI_SDK, ['ai', '@ai-sdk/openai'])
const SAID = /local dictation service/i

describe.skipIf(packages === null)('the AI SDK', () => {
  let server: RunningServer
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server.stop())

  const transcribe = async (model: string, options: object = {}) => {
    const [ai, { createOpenAI } = {}] = packages!
    const openai = createOpenAI({ apiKey: 'not needed', baseURL: `${server.url}/v1` })
    const audio = await readFile(join(import.meta.dir, '../speech/short-01.flac'))
    const request = { model: openai.transcription(model), audio, maxRetries: 0 }
    return ai?.transcribe({ ...request, providerOptions: { openai: options } })
  }

  test('gets text, language and segment times with default options', async () => {
    const transcript = await transcribe('whisper-1')
    expect(transcript).toMatchObject({ text: expect.stringMatching(SAID), language: 'en', warnings: [] })
    expect(transcript.durationInSeconds).toBeGreaterThan(1)
    expect(transcript.segments).toHaveLength(1)
    expect(transcript.segments[0].endSecond).toBeGreaterThan(transcript.segments[0].startSecond)
  })

  test('gets words as segments on request, with all options set', async () => {
    const options = { timestampGranularities: ['word'], language: 'en', prompt: 'Ada', temperature: 0 }
    const { segments } = await transcribe('whisper-1', options)
    expect(segments.map(({ text }: { text: string }) => text).join(' ')).toMatch(SAID)
  })

  test('gets the text from models that it requests plain JSON from', async () => {
    for (const model of ['gpt-4o-transcribe', 'gpt-4o-mini-transcribe'])
      expect((await transcribe(model, { include: ['logprobs'] })).text).toMatch(SAID)
  })

  test('throws its own error class with the message of the server', async () => {
    const error = await transcribe('nope').catch((thrown) => thrown)
    expect(error).toMatchObject({ name: 'AI_APICallError', statusCode: 422 })
    expect(error.message).toContain('There is no model called "nope"')
  })
})
