// What the reader of model files rejects, number by number. Only the header, the vocabulary and the tensor table are changed.

import { expect, test } from 'bun:test'
import { bytesInMemory, readGgmlFile } from '../../src/engine/ggml-file.ts'
import { createProbeModel } from '../../src/engine/probe-model.ts'
import { asMultilingual, bundledBytes, VOCABULARY_AT } from '../support/ggml.ts'

const whole = await bundledBytes()
const file = readGgmlFile(bytesInMemory(whole))
if (!file.ok) throw new Error(file.failure.message)
const { tensors } = file.value

const read = (bytes: Uint8Array) => readGgmlFile(bytesInMemory(bytes))

/** Restores the number afterwards: a copy of 32 MB for each of hundreds of cases would take long. */
const readWith = (at: number, value: number) => {
  const view = new DataView(whole.buffer, whole.byteOffset)
  const before = view.getInt32(at, true)
  view.setInt32(at, value, true)
  const result = read(whole)
  view.setInt32(at, before, true)
  return result
}

const HOSTILE = [-1, 0, 1, 2 ** 31 - 1, -(2 ** 31), 1 << 20]

test('reads the bundled model', () => {
  expect(file.value.shape).toEqual({
    vocabulary: 51_864,
    audioFrames: 1500,
    audioWidth: 384,
    audioHeads: 6,
    audioLayers: 4,
    textTokens: 448,
    textWidth: 384,
    textHeads: 6,
    textLayers: 4,
    melBands: 80,
    fileType: 1009,
  })
  expect(file.value.multilingual).toBe(false)
  expect(file.value.vocabulary).toHaveLength(50_257)
  expect(new TextDecoder().decode(file.value.vocabulary[18_435])).toBe(' Hello')
  expect(tensors).toHaveLength(167)
  expect(tensors.at(-1)!.atByte + tensors.at(-1)!.bytes).toBe(whole.length)
})

test('reads other shapes: multilingual and the smallest', () => {
  expect(read(asMultilingual(whole))).toMatchObject({ ok: true, value: { multilingual: true } })
  expect(read(createProbeModel())).toMatchObject({ ok: true, value: { shape: { audioWidth: 64 } } })
})

test('rejects a file truncated anywhere', () => {
  const edges = tensors
    .filter((_, i) => i % 10 === 0)
    .flatMap(({ atByte, bytes }) => [atByte - 1, atByte, atByte + bytes - 1])
  const inHead = Array.from({ length: 64 }, (_, length) => length)
  const spread = Array.from({ length: 60 }, (_, i) => Math.floor((i * whole.length) / 60))
  for (const length of [...inHead, VOCABULARY_AT, VOCABULARY_AT + 3, ...spread, ...edges]) {
    const result = read(whole.subarray(0, length))
    expect(result).toMatchObject({ ok: false, failure: { code: 'model_unreadable' } })
  }
})

test('rejects trailing bytes', () => {
  const longer = new Uint8Array(whole.length + 7)
  longer.set(whole)
  expect(read(longer).ok).toBe(false)
})

test.each(['', 'RIFF$\0\0\0WAVEfmt ', 'GGUF\x03\0\0\0', 'PK\x03\x04', '<!doctype html>', 'lmgg'])(
  'rejects a file that begins with %j',
  (text) => {
    const result = read(new TextEncoder().encode(text.padEnd(text === '' ? 0 : 4096, '\0')))
    if (result.ok) throw new Error('was accepted')
    expect(result.failure.message).toStartWith('This is not a whole Whisper model in ggml format: ')
  },
)

test('rejects hostile values of every number in the header', () => {
  for (let number = 0; number < 14; number += 1) {
    for (const value of HOSTILE) {
      const at = 4 * number
      const result = readWith(at, value)
      // the file's type is only a label, because each tensor has its own type
      const isLabel = number === 11 && value >= 0 && value < 10_000
      expect({ number, value, ok: result.ok }).toEqual({ number, value, ok: isLabel })
    }
  }
})

test('rejects a mel filter with NaN or a value out of range', () => {
  // fourteen numbers precede the filters
  expect(readWith(4 * 14 + 4 * 1000, 0x7e967699)).toMatchObject({ ok: false })
  expect(readWith(4 * 14 + 4 * 1000, 0xbf000000 | 0)).toMatchObject({ ok: false })
  expect(readWith(4 * 14 + 4 * 1000, 0x7fc00000)).toMatchObject({ ok: false })
  expect(readWith(4 * 14 + 4 * 1000, 0x7f800000)).toMatchObject({ ok: false })
})

test('rejects hostile counts and lengths in the vocabulary', () => {
  for (const at of [VOCABULARY_AT, VOCABULARY_AT + 4]) {
    for (const value of HOSTILE) {
      // a shorter first token is detected only by what follows it
      expect({ at, value, ok: readWith(at, value).ok }).toEqual({
        at,
        value,
        ok: at > VOCABULARY_AT && value === 1,
      })
    }
  }
})

test('rejects hostile values of every number in the tensor table', () => {
  for (const { name, dimensions, atByte } of tensors.filter((_, i) => i % 40 === 0)) {
    const start = atByte - name.length - 4 * dimensions.length - 12
    const numbers = 3 + dimensions.length
    for (let number = 0; number < numbers; number += 1) {
      for (const value of HOSTILE) {
        const at = start + 4 * number
        if (new DataView(whole.buffer).getInt32(at, true) === value) continue
        expect({ name, number, value, ok: readWith(at, value).ok }).toEqual({
          name,
          number,
          value,
          ok: false,
        })
      }
    }
  }
})

test('rejects a duplicate or renamed tensor', () => {
  const { name, atByte } = tensors[3]!
  const at = atByte - name.length
  const before = whole[at]!
  whole[at] = 'x'.charCodeAt(0)
  const result = read(whole)
  whole[at] = before
  expect(result).toMatchObject({ ok: false, failure: { code: 'model_unreadable' } })
})

test('never throws on random changes of the header', () => {
  const head = whole.slice(0, 48)
  for (let round = 0; round < 300; round += 1) {
    for (let i = 4; i < 48; i += 1) if (Math.random() < 0.2) whole[i] = Math.floor(Math.random() * 256)
    expect(read(whole)).toHaveProperty('ok')
    whole.set(head)
  }
})
