// wyoming_openai, through which Home Assistant speaks to servers of OpenAI's API, against this one with nothing changed but the address.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type RunningServer, startServer } from '../support/server.ts'
import { askPython } from './ask-python.ts'
import { pythonWith, WYOMING } from './venvs.ts'

const wav = (name: string) => join(import.meta.dir, '../speech/formats', name)
const said = expect.stringMatching(/made amiable himself/i)

type Heard = { types: string[]; text: string; pieces: string }

const python = pythonWith(WYOMING)
describe.skipIf(python === null)('wyoming_openai', () => {
  let server: RunningServer
  let answers: { programs: object; heard: Record<string, Heard>; more: Heard[] }
  beforeAll(async () => {
    server = await startServer()
    const recordings = [wav('wav-s16.wav'), wav('wav-48k-stereo.wav')]
    answers = (await askPython(
      python!,
      'wyoming_talk.py',
      `${server.url}/v1`,
      ...recordings,
    )) as typeof answers
  })
  afterAll(() => server.stop())

  test('takes this server for one of OpenAI’s API and offers its models', () => {
    expect(answers.programs).toEqual({
      'openai-streaming': ['gpt-4o-transcribe', 'gpt-4o-mini-transcribe'],
      openai: ['whisper-1', 'tiny.en', 'gpt-transcribe', 'nope'],
    })
  })

  test('hands on what was heard in one piece, also where it names languages', () => {
    for (const model of ['whisper-1', 'tiny.en', 'gpt-transcribe'])
      expect(answers.heard[model], model).toEqual({
        types: ['transcript-start', 'transcript', 'transcript-stop'],
        text: said,
        pieces: '',
      })
  })

  test('hands on what was heard as it comes', () => {
    const streams = ['gpt-4o-transcribe', 'gpt-4o-mini-transcribe'].map((model) => answers.heard[model])
    for (const heard of [...streams, ...answers.more]) {
      const types = ['transcript-start', 'transcript-chunk', 'transcript', 'transcript-stop']
      expect(heard).toEqual({ types, text: said, pieces: said })
      expect(heard?.pieces).toBe(heard!.text)
    }
  })

  test('tells its client of a refusal', () => {
    expect(answers.heard.nope?.types).toEqual(['error'])
  })
})
