import { describe, expect, test } from 'bun:test'
import { createMonoMixer } from '../../../src/audio/decoding/mono-mixer.ts'
import { samplesOf } from '../../support/flac.ts'
import { createRandom } from '../../support/random.ts'

const RATE = 16_000
const speech = await samplesOf('human-2.flac')
const otherSpeech = await samplesOf('human-5.flac')
const silence = new Float32Array(speech.length)

type Channels = Float32Array[]
type Decides = 'ahead' | 'at once'

function mixed(channels: Channels, decides: Decides, pieceLength = 777): Float32Array {
  const parts: Float32Array[] = []
  const emit = (samples: Float32Array) => void parts.push(samples.slice())
  const mixer = createMonoMixer({ channels: channels.length, rate: RATE, decides, emit })
  for (let at = 0; at < channels[0]!.length; at += pieceLength)
    mixer.push(channels.map((samples) => samples.subarray(at, at + pieceLength)))
  mixer.finish()
  const mono = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    mono.set(part, at)
    at += part.length
  }
  return mono
}

const scaled = (samples: Float32Array, factor: number) => samples.map((sample) => sample * factor)

const sum = (...parts: Float32Array[]) =>
  parts[0]!.map((_, i) => parts.reduce((total, part) => total + (part[i] ?? 0), 0))

function whiteNoise(amplitude: number, seed: number): Float32Array {
  const random = createRandom(seed)
  return silence.map(() => amplitude * random())
}

/** Lower than white noise: most of its power is below 200 Hz. */
function brownNoise(amplitude: number): Float32Array {
  const random = createRandom(3)
  let last = 0
  return silence.map(() => {
    last = 0.98 * last + 0.2 * random()
    return amplitude * last
  })
}

const hum = silence.map((_, i) => {
  const phase = (2 * Math.PI * 50 * i) / RATE
  return 0.4 * Math.sin(phase) + 0.3 * Math.sin(3 * phase) + 0.2 * Math.sin(11 * phase)
})

const average = (channels: Channels) => scaled(sum(...channels), 1 / channels.length)

/** The absolute correlation. */
function similarity(mono: Float32Array, wanted: Float32Array): number {
  let [product, ofMono, ofWanted] = [0, 0, 0]
  for (let i = 0; i < wanted.length; i++) {
    product += mono[i]! * wanted[i]!
    ofMono += mono[i]! ** 2
    ofWanted += wanted[i]! ** 2
  }
  return Math.abs(product) / Math.sqrt(ofMono * ofWanted || 1)
}

const UNALIKE = new Map<string, Channels>([
  ['inverted', [speech, scaled(speech, -1)]],
  ['inverted and quieter', [speech, scaled(speech, -0.4)]],
  [
    'inverted, with noise of its own in each',
    [sum(speech, whiteNoise(0.01, 7)), sum(scaled(speech, -1), whiteNoise(0.01, 9))],
  ],
  [
    'inverted above a common hum',
    [sum(speech, scaled(hum, 0.05)), sum(scaled(speech, -1), scaled(hum, 0.05))],
  ],
  ['inverted in one of six', [speech, scaled(speech, -1), silence, silence, silence, silence]],
  ['beside loud noise', [speech, whiteNoise(0.8, 5)]],
  ['behind loud noise', [whiteNoise(0.8, 5), speech]],
  ['beside loud deep noise', [brownNoise(0.5), speech]],
  ['beside loud hum', [hum, speech]],
  ['quiet beside loud noise', [whiteNoise(0.5, 5), scaled(speech, 0.03)]],
  [
    'one of six, the others noisy',
    [0, 1, 2, 3, 4].map((seed) => whiteNoise(0.3, 11 + seed)).concat([speech]),
  ],
  ['inverted, beside loud noise', [whiteNoise(0.8, 5), speech, scaled(speech, -1)]],
  ['alone in one of two', [silence, speech]],
  ['alone in one of six', [silence, silence, silence, silence, speech, silence]],
  ['alone in one of eight', [silence, silence, silence, silence, silence, silence, silence, speech]],
])

describe.each(['ahead', 'at once'] as const)('deciding %s', (decides) => {
  test.each([...UNALIKE])('speech is in the mix: %s', (_, channels) => {
    const mono = mixed(channels, decides)
    expect(mono.length).toBe(speech.length)
    expect(similarity(mono, speech)).toBeGreaterThan(0.9)
  })

  const alike = new Map<string, Channels>([
    ['the same twice', [speech, speech]],
    ['louder on one side', [speech, scaled(speech, 0.3)]],
    ['a room on both sides', [sum(speech, whiteNoise(0.02, 5)), sum(speech, whiteNoise(0.02, 9))]],
    ['a voice on each side', [speech, otherSpeech.slice(0, speech.length)].map((one) => sum(silence, one))],
    ['speech on one side', [speech, silence]],
    ['hiss on the other side', [speech, whiteNoise(0.001, 5)]],
    ['noise on both sides', [whiteNoise(0.2, 5), whiteNoise(0.1, 9)]],
    ['nothing', [silence, silence]],
  ])
  test.each([...alike])('averages ordinary channels: %s', (_, channels) => {
    expect(mixed(channels, decides)).toEqual(average(channels))
  })

  test('does not depend on how the samples are split', () => {
    const channels = [whiteNoise(0.8, 5), speech]
    expect(mixed(channels, decides, 10_000)).toEqual(mixed(channels, decides, 1))
  })

  test('passes a single channel on unchanged', () => {
    expect(mixed([speech], decides)).toEqual(speech)
  })

  test('keeps NaN, infinities and samples beyond full scale from spreading', () => {
    const broken = speech.slice()
    broken.set([Number.NaN, Number.POSITIVE_INFINITY, -300], 5000)
    const mono = mixed([broken, scaled(speech, -1)], decides)
    expect(mono.every((sample) => Math.abs(sample) <= 1)).toBe(true)
    expect(similarity(mono, speech)).toBeGreaterThan(0.9)
  })
})

/** An endless vowel, which is equally loud at any moment. */
const vowel = silence.map((_, i) => {
  const phase = (2 * Math.PI * 130 * i) / RATE
  return [1, 2, 3, 4, 5, 6, 7, 8].reduce((sum, n) => sum + (0.3 / n) * Math.sin(n * phase), 0)
})

describe.each(['ahead', 'at once'] as const)('inverted sound, deciding %s', (decides) => {
  test('is in the mix even if it is as steady as noise', () => {
    expect(similarity(mixed([vowel, scaled(vowel, -1)], decides), vowel)).toBeGreaterThan(0.99)
  })

  test('is in the mix from its first tenth of a second, also after a pause', () => {
    const pause = whiteNoise(0.0005, 3).subarray(0, 3 * RATE)
    const later = (sound: Float32Array) => {
      const all = new Float32Array(pause.length + sound.length)
      all.set(pause)
      all.set(sound, pause.length)
      return all
    }
    const [from, to] = [pause.length + 0.04 * RATE, pause.length + 0.14 * RATE]
    const wanted = later(vowel)
    const mono = mixed([wanted, later(scaled(vowel, -1))], decides)
    expect(similarity(mono.subarray(from, to), wanted.subarray(from, to))).toBeGreaterThan(0.9)
  })
})

test('inverts a channel for only a part of the recording', () => {
  const half = speech.length / 2
  const turned = speech.map((sample, i) => (i < half ? sample : -sample))
  expect(similarity(mixed([speech, turned], 'ahead'), speech)).toBeGreaterThan(0.9)
})
