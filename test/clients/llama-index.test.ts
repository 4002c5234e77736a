import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type RunningServer, startServer } from '../support/server.ts'
import { askPython } from './ask-python.ts'
import { LLAMA_INDEX, pythonWith } from './venvs.ts'

const recording = join(import.meta.dir, '../speech/short-01.flac')
const document = expect.stringMatching(/local dictation service/i)

const python = pythonWith(LLAMA_INDEX)
describe.skipIf(python === null)('LlamaIndex', () => {
  let server: RunningServer
  let answers: Record<string, unknown>
  beforeAll(async () => {
    server = await startServer()
    answers = await askPython(python!, 'llama_index_reader.py', `${server.url}/v1`, recording)
  })
  afterAll(() => server.stop())

  test('gets a document from a path, from bytes that it names audio.mp3, and asynchronously', () => {
    for (const way of ['path', 'bytes', 'asynchronous']) expect(answers[way], way).toEqual([document])
  })

  test('gets a document from a file of a folder, and with all options set', () => {
    expect(answers).toMatchObject({ in_a_folder: [document], options: [document] })
  })

  test('throws an error of OpenAI’s client', () => {
    expect(answers.refused).toEqual({ status: 422, code: 'invalid_request' })
  })
})
