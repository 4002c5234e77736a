import { expect, test } from 'bun:test'
import {
  type DecodingPromptOptions,
  decodingPrompt,
  previousOf,
} from '../../../../src/engine/whisper/decoding/prompt.ts'
import { specialTokensOf } from '../../../../src/engine/whisper/decoding/tokenizer.ts'

const english = specialTokensOf(51_864)
const multilingual = specialTokensOf(51_865)

const prompt = (options: Partial<DecodingPromptOptions>) =>
  decodingPrompt({
    tokens: english,
    previous: [],
    language: null,
    task: 'transcribe',
    timestamps: true,
    textTokens: 448,
    ...options,
  })

test('is only the start token for an English-only model', () => {
  expect(prompt({})).toEqual({ untilStart: [50_257], task: [] })
})

test('contains language and task for a multilingual model', () => {
  const options = { tokens: multilingual, language: 50_261 }
  expect(prompt(options)).toEqual({ untilStart: [50_258], task: [50_261, 50_359] })
  expect(prompt({ ...options, task: 'translate' })).toEqual({ untilStart: [50_258], task: [50_261, 50_358] })
})

test('begins with the previous text, after its special token', () => {
  expect(prompt({ previous: [1, 2, 3] }).untilStart).toEqual([50_360, 1, 2, 3, 50_257])
})

test('contains the last 223 tokens of the previous text', () => {
  const previous = Array.from({ length: 300 }, (_, i) => i)
  const { untilStart } = prompt({ previous })
  expect(untilStart).toHaveLength(225)
  expect(untilStart.slice(1, -1)).toEqual(previous.slice(-223))
})

test('omits the previous text for a model with a tiny context', () => {
  expect(prompt({ previous: [1, 2], textTokens: 2 }).untilStart).toEqual([50_257])
})

test('requests no timestamps from a model without them', () => {
  expect(prompt({ timestamps: false }).task).toEqual([50_362])
})

test('keeps the whole initial prompt, and fills the rest with the previous text', () => {
  const tokenizer = {
    encode: (text: string) => [...text].map((letter) => letter.codePointAt(0)!),
  }
  const model = { tokenizer, shape: { textTokens: 22 } }
  const told = (asked: string | null, before: string | null) =>
    String.fromCodePoint(...previousOf(model, { prompt: asked, before }))
  expect(told('Ann', 'and so on')).toBe(' Ann so on')
  expect(told(null, 'it went on and on')).toBe('t on and on'.slice(-10))
  expect(told('Ann and Ben', 'went on')).toBe(' Ann and Ben')
  expect(told(' ', null)).toBe('')
})
