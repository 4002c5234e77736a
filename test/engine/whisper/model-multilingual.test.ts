// The multilingual path, with a file forged from tiny.en: its special tokens are moved and its languages are untrained. The
// expected texts are those of whisper.cpp (shout 1.0.4) with the same file, which takes half a minute to run.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openModel, type WhisperModel } from '../../../src/engine/whisper/model.ts'
import { samplesOf } from '../../support/flac.ts'
import { asMultilingual, bundledBytes } from '../../support/ggml.ts'
import { wordsApart } from '../../support/speech.ts'
import { readModel } from '../hearers.ts'

const BY_SHOUT = '</b> <b>rather, coldhearted, and rather selfish</b> <b>is to be ill disposed</b>'

let model: WhisperModel
const samples = await samplesOf('human-4.flac')

beforeAll(async () => {
  model = await openModel({ ...readModel(asMultilingual(await bundledBytes())), threads: 2 })
})

afterAll(() => model.close())

const transcribeWindow = async (language: string | null, task: 'transcribe' | 'translate') => {
  const { signal } = new AbortController()
  const result = await model.transcribe({ samples, language, task, prompt: null, trim: false, signal })
  return { ...result, text: result.segments.map(({ text }) => text).join(' ') }
}

test.each([
  ['en', 'transcribe'],
  ['en', 'translate'],
  ['de', 'transcribe'],
] as const)('in %s, to %s, it writes what shout writes', async (language, task) => {
  const result = await transcribeWindow(language, task)
  expect(wordsApart(result.text, BY_SHOUT)).toBe(0)
  expect(result).toMatchObject({ language, languageProbability: null })
})

test('gives untrained languages the same probability', async () => {
  const { languageProbability } = await transcribeWindow(null, 'transcribe')
  expect(languageProbability).toBeCloseTo(1 / 99, 3)
})
