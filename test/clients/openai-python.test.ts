import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type RunningServer, startServer } from '../support/server.ts'
import { askPython } from './ask-python.ts'
import { OPENAI_VERSIONS, openai, pythonWith } from './venvs.ts'

const recording = join(import.meta.dir, '../speech/short-01.flac')
const SAID = /local dictation service/i

let server: RunningServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

for (const version of OPENAI_VERSIONS) {
  const python = pythonWith(openai(version))
  describe.skipIf(python === null)(`the Python client ${version}`, () => {
    let answers: Record<string, unknown>
    beforeAll(async () => {
      answers = await askPython(python!, 'openai_client.py', `${server.url}/v1`, recording)
      expect(answers.version).toBe(version)
    })

    test('gets the text in every format', () => {
      for (const format of ['json', 'segments_as_json', 'text', 'srt', 'vtt'])
        expect(answers[format], format).toMatch(SAID)
    })

    test('parses verbose responses with words and segments into its types', () => {
      const verbose = answers.verbose as Record<string, unknown>
      expect(verbose).toMatchObject({ language: 'english', numbers: ['int', 'float', 'float'] })
      expect(verbose.segment).toMatch(/^ \S/)
      expect((verbose.words as string[]).join(' ')).toMatch(SAID)
    })

    test('reads a stream', () => {
      const { types, pieces, whole } = answers.streamed as Record<string, unknown>
      expect(types).toEqual(['transcript.text.delta', 'transcript.text.done'])
      expect(pieces).toMatch(SAID)
      expect(whole).toBe(pieces)
    })

    test('parses token log-probabilities into its types', () => {
      expect(answers.logprobs).toEqual({
        text: expect.stringMatching(SAID),
        kinds: ['str', 'float', 'list'],
      })
    })

    test('can send objects and additional fields', () => {
      expect(answers.chunking).toMatch(SAID)
      expect(answers.extra).toMatch(SAID)
    })

    test('works with the Azure address and any deployment name', () => {
      expect(answers.azure).toMatch(SAID)
      expect(answers.azure_verbose).toBe('english')
      expect(answers.azure_refused).toBe('invalid_request')
    })

    test('lists models and throws its own errors', () => {
      expect(answers.models).toEqual(['whisper-1', 'tiny.en-q5_1', 'base-q5_1'])
      expect(answers.model).toBe('whisper-1')
      expect(answers.refused).toBe('invalid_request')
      expect(answers.translated).toEqual({ status: 422, code: 'unsupported_task' })
    })
  })
}
