// wyoming_openai connects Home Assistant to servers with OpenAI's API.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type RunningServer, startServer } from '../support/server.ts'
import { askPython } from './ask-python.ts'
import { pythonWith, WYOMING } from './venvs.ts'

const wav = (name: string) => join(import.meta.dir, '../speech/formats', name)
const TEXT = expect.stringMatching(/made amiable himself/i)

type Outcome = { types: string[]; text: string; pieces: string }

const python = pythonWith(WYOMING)
describe.skipIf(python === null)('wyoming_openai', () => {
  let server: RunningServer
  let answers: { programs: object; transcripts: Record<string, Outcome>; more: Outcome[] }
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

  test('detects an OpenAI server and offers its models', () => {
    expect(answers.programs).toEqual({
      'openai-streaming': ['gpt-4o-transcribe', 'gpt-4o-mini-transcribe'],
      openai: ['whisper-1', 'tiny.en', 'gpt-transcribe', 'nope'],
    })
  })

  test('returns a transcript as a whole, also for requests with languages', () => {
    for (const model of ['whisper-1', 'tiny.en', 'gpt-transcribe'])
      expect(answers.transcripts[model], model).toEqual({
        types: ['transcript-start', 'transcript', 'transcript-stop'],
        text: TEXT,
        pieces: '',
      })
  })

  test('returns a transcript as it arrives', () => {
    const streams = ['gpt-4o-transcribe', 'gpt-4o-mini-transcribe'].map((model) => answers.transcripts[model])
    for (const outcome of [...streams, ...answers.more]) {
      const types = ['transcript-start', 'transcript-chunk', 'transcript', 'transcript-stop']
      expect(outcome).toEqual({ types, text: TEXT, pieces: TEXT })
      expect(outcome?.pieces).toBe(outcome!.text)
    }
  })

  test('reports an error to its client', () => {
    expect(answers.transcripts.nope?.types).toEqual(['error'])
  })
})
