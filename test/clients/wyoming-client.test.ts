// The package wyoming, whose classes Home Assistant uses, on the server's own port of the protocol.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { createTestFolder } from '../support/database.ts'
import { samplesOf } from '../support/flac.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { wavOf } from '../support/wav.ts'
import { wyomingPortOf } from '../support/wyoming.ts'
import { askPython } from './ask-python.ts'
import { pythonWith, WYOMING_CLIENT } from './venvs.ts'

const wav = (name: string) => join(import.meta.dir, '../speech/formats', name)
const TEXT = expect.stringMatching(/made amiable himself/i)
const WHOLE = ['transcript-start', 'transcript-chunk', 'transcript', 'transcript-stop']

type Outcome = {
  types: string[]
  pieces: string
  text: string | null
  language: string | null
  error: string | null
}
type Answers = {
  info: { pong: string; program: string; streaming: boolean; models: Record<string, string[]> }
  streamed: Outcome & { early: string[]; beginning: string }
  others: Outcome[]
  together: Outcome[]
  one_after_another: string[]
} & Record<'plain' | 'french' | 'wide' | 'without_start' | 'unknown_model' | 'unsupported_language', Outcome>

const python = pythonWith(WYOMING_CLIENT)
describe.skipIf(python === null)('the package wyoming', () => {
  let server: RunningServer
  let answers: Answers
  beforeAll(async () => {
    server = await startServer({ env: { DICTATION_WYOMING: '0' } })
    await using folder = await createTestFolder()
    const french = join(folder.dataFolder, 'french.wav')
    await Bun.write(french, wavOf(await samplesOf('language-fr.flac')))
    const recordings = [wav('wav-s16.wav'), french, wav('wav-48k-stereo.wav'), wav('wav-44k1.wav')]
    const port = String(wyomingPortOf(server))
    answers = (await askPython(python!, 'wyoming_client.py', port, ...recordings)) as Answers
  })
  afterAll(async () => {
    expect(server.log().filter(({ level }) => level === 'error')).toEqual([])
    expect(await server.stop()).toBe(0)
  })

  test('describes the installed models with their languages, and answers a ping', () => {
    const { models, ...info } = answers.info
    expect(info).toEqual({ pong: 'still there?', program: 'local-dictation', streaming: true })
    expect(models['tiny.en-q5_1']).toEqual(['en'])
    expect(models['base-q5_1']).toContain('fr')
    expect(models['base-q5_1']).not.toContain('yue')
  })

  test('transcribes in the requested language with the requested model', () => {
    const { plain, french } = answers
    expect(plain).toEqual({ types: WHOLE, pieces: plain.text!, text: TEXT, language: 'en', error: null })
    expect(french).toMatchObject({ types: WHOLE, language: 'fr', text: expect.stringMatching(/conseiller/) })
  })

  test('takes samples of any rate, width and number of channels', () => {
    for (const one of [...answers.others, answers.wide, answers.without_start])
      expect(one).toMatchObject({ types: WHOLE, text: TEXT })
  })

  test('sends words before the audio ends', () => {
    const { early, beginning, text, pieces } = answers.streamed
    expect(early).toEqual(['transcript-start', 'transcript-chunk'])
    expect(text).toMatch(/amiable himself.*amiable himself/i)
    expect(beginning + pieces).toBe(text!)
  })

  test('transcribes several streams, on one connection and on two at once', () => {
    for (const text of [...answers.one_after_another, ...answers.together.map(({ text }) => text)])
      expect(text).toEqual(TEXT)
  })

  test('reports what it cannot do as an error event', () => {
    expect(answers.unknown_model).toMatchObject({ types: ['error'], error: 'unknown_model' })
    expect(answers.unsupported_language).toMatchObject({ types: ['error'], error: 'unsupported_language' })
  })
})
