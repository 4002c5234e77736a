// Tests the reference itself: it transcribes speech and reads packed weights correctly.

import { expect, test } from 'bun:test'
import { join, resolve } from 'node:path'
import { Glob } from 'bun'
import { firstRows, relativeError } from '../../../../src/engine/whisper/reference/arithmetic.ts'
import { dequantize } from '../../../../src/engine/whisper/reference/dequantize.ts'
import { referenceLogMel } from '../../../../src/engine/whisper/reference/log-mel.ts'
import { readReferenceModel } from '../../../../src/engine/whisper/reference/model.ts'
import { createReferenceDecoder, referenceEncode } from '../../../../src/engine/whisper/reference/whisper.ts'
import { testAtLength } from '../../../support/at-length.ts'
import { samplesOf } from '../../../support/flac.ts'
import { bundledBytes } from '../../../support/ggml.ts'
import { bytesOf, KINDS, type Kind, writeWeights } from '../../../support/quantize.ts'
import { createRandom } from '../../../support/random.ts'
import { recording, wordsOf } from '../../../support/speech.ts'

/** The start of an English transcript without timestamps; the last word is followed by the end or a timestamp. */
const START = [50_257, 50_362]
const END = 50_256
const MAX_TOKENS = 20

/** The clip and some silence: the full window takes six times as long and gives the same text. */
const FRAMES = 256

testAtLength('transcribes a clip word for word with greedy decoding', async () => {
  const file = 'short-17.flac'
  const model = readReferenceModel(await bundledBytes())
  const { filters, shape, vocabulary } = model.file
  const mel = referenceLogMel(await samplesOf(file), filters, shape.melBands)
  const decoder = createReferenceDecoder(model, referenceEncode(model, firstRows(mel, 2 * FRAMES)).output)
  let text = ''
  let tokens = START
  for (let count = 0; count < MAX_TOKENS && tokens.at(-1) !== END; count += 1) {
    const { logits } = decoder.advance(tokens)
    const last = logits.numbers.subarray(-shape.vocabulary, -shape.vocabulary + END + 1)
    const likeliest = last.indexOf(last.reduce((most, logit) => Math.max(most, logit), -Infinity))
    if (likeliest !== END) text += new TextDecoder().decode(vocabulary[likeliest])
    tokens = [likeliest]
  }
  expect(wordsOf(text)).toEqual(wordsOf(recording(file).reference))
})

test('names files that exist', async () => {
  const root = resolve(import.meta.dir, '../../../..')
  const map = await Bun.file(join(root, 'src/engine/whisper/reference/whisper.ts')).text()
  const named = [...map.matchAll(/(?<!['\w./])[\w-]+(?:\/[\w-]+)*\.ts/g)].map(([path]) => path)
  const files = await Array.fromAsync(new Glob('{src,wasm,test}/**/*.ts').scan({ cwd: root }))
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((path) => !files.some((file) => `/${file}`.endsWith(`/${path}`)))).toEqual([])
})

/** The rounding error of evenly distributed weights with this number of bits. */
const LOST: Record<Kind, number> = {
  f32: 0,
  f16: 3e-4,
  q8_0: 5e-3,
  q6_K: 2e-2,
  q5_1: 3.5e-2,
  q5_0: 3.5e-2,
  q4_1: 7.5e-2,
  q4_K: 7.5e-2,
  q4_0: 7.5e-2,
}

test('reads packed weights back, except for rounding errors', () => {
  const random = createRandom(3)
  const weights = Float32Array.from({ length: 256 * 64 }, () => 0.1 * random())
  for (const [name, most] of Object.entries(LOST)) {
    const kind = name as Kind
    const packed = new Uint8Array(bytesOf(weights.length, kind))
    writeWeights(weights, kind, packed)
    expect(relativeError(dequantize(KINDS[kind].type, packed), weights), kind).toBeLessThanOrEqual(most)
  }
})
