// The Vercel AI SDK against this server, with nothing changed but the base address.

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
    const asked = { model: openai.transcription(model), audio, maxRetries: 0 }
    return ai?.transcribe({ ...asked, providerOptions: { openai: options } })
  }

  test('gets text, language and segments with their times, as it asks by default', async () => {
    const heard = await transcribe('whisper-1')
    expect(heard).toMatchObject({ text: expect.stringMatching(SAID), language: 'en', warnings: [] })
    expect(heard.durationInSeconds).toBeGreaterThan(1)
    expect(heard.segments).toHaveLength(1)
    expect(heard.segments[0].endSecond).toBeGreaterThan(heard.segments[0].startSecond)
  })

  test('gets words in their place where it asks for them, with its further options', async () => {
    const options = { timestampGranularities: ['word'], language: 'en', prompt: 'Ada', temperature: 0 }
    const { segments } = await transcribe('whisper-1', options)
    expect(segments.map(({ text }: { text: string }) => text).join(' ')).toMatch(SAID)
  })

  test('gets the text of the models that it asks for plain JSON', async () => {
    for (const model of ['gpt-4o-transcribe', 'gpt-4o-mini-transcribe'])
      expect((await transcribe(model, { include: ['logprobs'] })).text).toMatch(SAID)
  })

  test('reads a refusal as its own error, with the sentence', async () => {
    const error = await transcribe('nope').catch((thrown) => thrown)
    expect(error).toMatchObject({ name: 'AI_APICallError', statusCode: 422 })
    expect(error.message).toContain('There is no model called "nope"')
  })
})
