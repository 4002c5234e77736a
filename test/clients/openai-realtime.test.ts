// Transcription sessions of OpenAI's Python client, each event validated by the client's own class, and the examples of
// docs/clients.md for Python and for the npm client in Node and Bun.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { resampled, spokenIn } from '../support/live.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { wavHeader } from '../support/wav.ts'
import { askPython } from './ask-python.ts'
import { modulesFolderOf, OPENAI_REALTIME } from './npm-clients.ts'
import { OPENAI_VERSIONS, openai, pythonWith } from './venvs.ts'

type Session = {
  types: string[]
  deltas: string
  transcripts: string[]
  logprobs: string
  usage: { type: string; seconds: number }[]
  errors: { code: string }[]
}

const RATE = 24_000
const ITEM = 'conversation.item.input_audio_transcription'
const COMMITTED = ['input_audio_buffer.committed', 'conversation.item.added', 'conversation.item.done']

let server: RunningServer
let folder: string
let recording: string
/** the text of POST /v1/audio/transcriptions for the same file */
let text: string
let seconds: number
beforeAll(async () => {
  server = await startServer()
  folder = await mkdtemp(join(tmpdir(), 'realtime-'))
  recording = join(folder, 'speech.wav')
  const samples = resampled(await spokenIn('short-03.flac'), RATE)
  seconds = samples.length / RATE
  const wav = new Blob([wavHeader({ dataBytes: samples.byteLength, rate: RATE, channels: 1 }), samples])
  await Bun.write(recording, wav)
  // Half a second of silence ends the utterance.
  await Bun.write(join(folder, 'speech.pcm'), new Blob([samples, new Int16Array(RATE)]))
  const form = new FormData()
  form.append('file', wav, 'speech.wav')
  form.append('model', 'whisper-1')
  form.append('language', 'en')
  const response = await fetch(`${server.url}/v1/audio/transcriptions`, { method: 'POST', body: form })
  text = ((await response.json()) as { text: string }).text
  expect(text).toMatch(/report to Michael/)
}, 120_000)
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true })
})

for (const version of OPENAI_VERSIONS) {
  const python = pythonWith(openai(version))
  describe.skipIf(python === null)(`the Python client ${version}`, () => {
    let answers: Record<string, unknown>
    const session = (name: string) => answers[name] as Session
    beforeAll(async () => {
      answers = await askPython(python!, 'openai_realtime.py', `${server.url}/v1`, recording)
      expect(answers.version).toBe(version)
    }, 240_000)

    test('gets an item for each pause, as deltas and as a whole, with log-probabilities', () => {
      const { types, deltas, transcripts, logprobs, usage } = session('with_pauses')
      expect(types).toEqual([
        'session.created',
        'session.updated',
        'input_audio_buffer.speech_started',
        'input_audio_buffer.speech_stopped',
        ...COMMITTED,
        `${ITEM}.completed`,
      ])
      expect([transcripts, deltas, logprobs]).toEqual([[text], text, ` ${text}`])
      expect(usage).toEqual([{ type: 'duration', seconds: expect.any(Number) }])
    })

    test('gets an item for each commit, and continues after unsupported events', () => {
      const { types, transcripts, usage, errors } = session('by_hand')
      expect(transcripts).toEqual([text, text])
      expect(usage[0]!.seconds).toBeCloseTo(seconds, 2)
      expect(errors.map(({ code }) => code)).toEqual(['input_audio_buffer_commit_empty', 'invalid_request'])
      expect(
        types.filter((type) => !['error', 'session.created', 'session.updated'].includes(type)).toSorted(),
      ).toEqual([...COMMITTED, `${ITEM}.completed`].flatMap((type) => [type, type]).toSorted())
    })

    test('can clear its buffer and work asynchronously', () => {
      const { types, transcripts } = session('asynchronously')
      expect(transcripts).toEqual([text])
      expect(types).toEqual([
        'session.created',
        'session.updated',
        'input_audio_buffer.cleared',
        ...COMMITTED,
        `${ITEM}.completed`,
      ])
    })

    test('gets an HTTP error instead of a connection', () => {
      expect(answers.refused).toBe(422)
    })

    test.skipIf(!version.startsWith('1.'))('supports the first version of the API', () => {
      const { types, transcripts } = session('first_version')
      expect(transcripts).toEqual([text])
      expect(types).toEqual([
        'transcription_session.created',
        'transcription_session.updated',
        'input_audio_buffer.speech_started',
        'input_audio_buffer.speech_stopped',
        'input_audio_buffer.committed',
        'conversation.item.created',
        `${ITEM}.completed`,
      ])
    })
  })
}

describe('the example of docs/clients.md', () => {
  /** The example, with the port of the test server. */
  const example = async (language: 'python' | 'mjs') => {
    const document = await Bun.file(join(import.meta.dir, '../../docs/clients.md')).text()
    const [, code = ''] = new RegExp(`\`\`\`${language}\n([\\s\\S]+?)\`\`\``).exec(document) ?? []
    expect(code).toContain('127.0.0.1:17493')
    const path = join(folder, `example-${crypto.randomUUID()}.${language === 'mjs' ? 'mjs' : 'py'}`)
    await Bun.write(path, code.replace('127.0.0.1:17493', new URL(server.url).host))
    return path
  }
  const printedBy = async (...command: string[]) => {
    const running = Bun.spawn(command, { cwd: folder, stderr: 'pipe' })
    const [output, errors] = await Promise.all([
      new Response(running.stdout).text(),
      new Response(running.stderr).text(),
    ])
    expect(await running.exited, errors).toBe(0)
    return output
  }

  const python = pythonWith(openai(OPENAI_VERSIONS.at(-1)!))
  test.skipIf(python === null)(
    'transcribes live in Python',
    async () => {
      expect(await printedBy(python!, await example('python'))).toBe(`${text}\n= ${text}\n`)
    },
    120_000,
  )

  const modules = modulesFolderOf(OPENAI_REALTIME)
  test.skipIf(modules === null).each([
    ['Node', 'node'],
    ['Bun', process.execPath],
  ])(
    'transcribes live in %s',
    async (_, runtime) => {
      const path = await example('mjs')
      await symlink(modules!, join(folder, 'node_modules')).catch(() => {})
      expect(await printedBy(runtime, path)).toBe(`${text}\n= ${text}\n`)
    },
    120_000,
  )
})
