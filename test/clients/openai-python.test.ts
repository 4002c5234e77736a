// OpenAI's official Python client, three major versions of it, against this server with nothing changed but the address.

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

    test('reads verbose answers with words and segments into its types', () => {
      const verbose = answers.verbose as Record<string, unknown>
      expect(verbose).toMatchObject({ language: 'english', numbers: ['int', 'float', 'float'] })
      expect(verbose.segment).toMatch(/^ \S/)
      expect((verbose.words as string[]).join(' ')).toMatch(SAID)
    })

    test('reads a stream to its end', () => {
      const { types, pieces, whole } = answers.streamed as Record<string, unknown>
      expect(types).toEqual(['transcript.text.delta', 'transcript.text.done'])
      expect(pieces).toMatch(SAID)
      expect(whole).toBe(pieces)
    })

    test('reads the log-probabilities of tokens into its types', () => {
      expect(answers.logprobs).toEqual({
        text: expect.stringMatching(SAID),
        kinds: ['str', 'float', 'list'],
      })
    })

    test('may send objects and fields of its own', () => {
      expect(answers.chunking).toMatch(SAID)
      expect(answers.extra).toMatch(SAID)
    })

    test('talks to the same server as to an Azure resource, whatever its deployment is called', () => {
      expect(answers.azure).toMatch(SAID)
      expect(answers.azure_verbose).toBe('english')
      expect(answers.azure_refused).toBe('invalid_request')
    })

    test('lists models and reads refusals as its own errors', () => {
      expect(answers.models).toEqual(['whisper-1', 'tiny.en-q5_1', 'base-q5_1'])
      expect(answers.model).toBe('whisper-1')
      expect(answers.refused).toBe('invalid_request')
      expect(answers.translated).toEqual({ status: 422, code: 'unsupported_task' })
    })
  })
}
