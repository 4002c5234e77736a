import { expect, test } from 'bun:test'
import {
  BUNDLED_MODELS,
  betterModelHint,
  byQuality,
  CATALOGUE,
  checkModelName,
  modelsCalled,
  plainModelName,
} from '../../src/models/catalogue.ts'

test.each<[string | null, string | null]>([
  [null, null],
  ['', null],
  ['whisper-1', null],
  ['base', 'base'],
  ['whisper-base', 'base'],
  ['openai/whisper-base.en', 'base.en'],
  ['ggml-base.en-q5_1.bin', 'base.en-q5_1'],
  [' Base.EN ', 'base.en'],
  ['large', 'large-v3'],
  ['whisper-large', 'large-v3'],
  ['large-q5_0', 'large-v3-q5_0'],
  ['turbo', 'large-v3-turbo'],
  ['turbo-q8_0', 'large-v3-turbo-q8_0'],
  ['large-v3-turbo', 'large-v3-turbo'],
  ['base-f16', 'base-f16'],
])('the name %j means %j', (name, plain) => {
  expect(plainModelName(name)).toBe(plain)
  expect(checkModelName(name)).toEqual({ ok: true, value: plain })
})

test('a size matches any file of it, a full name only that file', () => {
  const names = (name: string) => modelsCalled(name).map((model) => model.name)
  expect(names('base')).toEqual(['base', 'base-q5_1', 'base-q8_0'])
  expect(names('base-f16')).toEqual(['base'])
  expect(names('base.en-q5_1')).toEqual(['base.en-q5_1'])
})

test.each(['nope', 'base-q9_9', 'base.fr', '../../etc/passwd', 'ggml-.bin', 'toString', 'x'.repeat(10_000)])(
  'rejects the name %j and lists the known models',
  (name) => {
    const result = checkModelName(name)
    if (result.ok) throw new Error('was accepted')
    expect(result.failure.code).toBe('unknown_model')
    expect(result.failure.message).toContain('large-v3-turbo')
    expect(result.failure.message.length).toBeLessThan(400)
  },
)

test('accepts the names of the user’s own files', () => {
  const own = ['swiss-german', 'whisper-foo', 'large', 'whisper-1']
  for (const name of own) expect(checkModelName(name, own)).toEqual({ ok: true, value: name })
  expect(checkModelName('ggml-whisper-foo.bin', own)).toEqual({ ok: true, value: 'whisper-foo' })
  expect(checkModelName('large-v3', own)).toEqual({ ok: true, value: 'large-v3' })
  expect(checkModelName('whisper-large', own)).toEqual({ ok: true, value: 'large-v3' })
})

test('the catalogue has every size, each file once, with a checksum', () => {
  expect([...new Set(CATALOGUE.map(({ family }) => family))]).toEqual([
    ...['tiny', 'tiny.en', 'base', 'base.en', 'small', 'small.en', 'medium', 'medium.en'],
    ...['large-v3', 'large-v3-turbo'],
  ])
  expect(new Set(CATALOGUE.map(({ file }) => file)).size).toBe(CATALOGUE.length)
  for (const { sha256, file, name } of CATALOGUE) {
    expect(sha256).toMatch(/^[0-9a-f]{64}$/)
    expect(file).toBe(`ggml-${name}.bin`)
  }
  expect(CATALOGUE.find(({ name }) => name === BUNDLED_MODELS[1])).toMatchObject({
    displayName: 'Whisper Tiny, English (q5_1)',
    size: 'tiny',
    quantization: 'q5_1',
    multilingual: false,
    bytes: 32_166_155,
    expectedSizeMb: 32,
  })
})

test('ranks larger models, multilingual models and q8_0 higher', () => {
  const order = CATALOGUE.toSorted(byQuality).map(({ name }) => name)
  expect(order[0]).toBe('large-v3-q5_0')
  expect(order.filter((name) => name.startsWith('base'))).toEqual([
    ...['base-q8_0', 'base-q5_1', 'base', 'base.en-q8_0', 'base.en-q5_1', 'base.en'],
  ])
})

test('suggests a better model until one is installed', () => {
  expect(betterModelHint([...BUNDLED_MODELS])).toContain('ggml-small-q5_1.bin (99 languages, 190 MB)')
  expect(betterModelHint([...BUNDLED_MODELS, 'small'])).toBeNull()
})
