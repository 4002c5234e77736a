// Random phrases and pauses, transcribed with random errors and shifted times.
// The engine is scripted, because the spoken words must be known.

import { expect, setDefaultTimeout, test } from 'bun:test'
import { align } from '../../../src/lib/alignment.ts'
import type { ConfirmedPiece } from '../../../src/transcription/live/agreement.ts'
import { wordsOf } from '../../support/speech.ts'
import { type Phrase, type Recognise, scriptedStream, sentence } from '../scripted-stream.ts'

// Test doubles respond at once, but the machine may be busy.
setDefaultTimeout(180_000)

const VOCABULARY =
  `the of and to a in is it you that he was for on are with as his they be at one have this from
  or had by hot but some what there we can out other were all your when up use word how said an each she`.split(
    /\s+/,
  )
const ERROR_RATE = 0.03
const SHIFT_SECONDS = 0.2

/** The same numbers for the same seed (Numerical Recipes' generator). */
function createRandom(seed: number) {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

function randomSpeech(random: () => number, seconds: number): Phrase[] {
  const phrases: Phrase[] = []
  let at = 0.5
  while (at < seconds) {
    const words = Array.from({ length: 1 + Math.floor(random() ** 2 * 40) }, () => pick(random))
    phrases.push(sentence(words.join(' ') + (random() < 0.7 ? '.' : ''), at))
    at = phrases.at(-1)!.toSecond + (random() < 0.2 ? 4 : 1.2) * random() + 0.1
  }
  return phrases
}

const pick = (random: () => number) => VOCABULARY[Math.floor(random() * VOCABULARY.length)]!

/** Replaces some words, the last one more often than not, and shifts all times. */
const unreliable =
  (random: () => number): Recognise =>
  (phrases, { samples }) =>
    phrases.map(({ text, fromSecond, toSecond }) => {
      const shift = (2 * random() - 1) * SHIFT_SECONDS
      const isCut = toSecond > samples.length / 16_000 - 0.3
      const words = text.split(' ').map((word, index, all) => {
        const chance = isCut && index === all.length - 1 ? 0.6 : ERROR_RATE
        return random() < chance ? pick(random) : word
      })
      return {
        text: words.join(' '),
        fromSecond: Math.max(0, fromSecond + shift),
        toSecond: toSecond + shift,
      }
    })

for (const seed of [1, 2, 3, 4, 5]) {
  test(`confirms words of random speech with errors in order and without duplicates (${seed})`, async () => {
    const random = createRandom(seed)
    const phrases = randomSpeech(random, 60)
    const confirmed: ConfirmedPiece[] = []
    const { feedUntil, finish, finals, requests } = scriptedStream(phrases, {
      recognise: unreliable(random),
      onConfirmed: (piece) => confirmed.push(piece),
    })
    await feedUntil(phrases.at(-1)!.toSecond + 2, seed % 2 === 0 ? 1 : 0.5)
    await finish()
    const said = wordsOf(phrases.map((phrase) => phrase.text).join(' '))
    expect(wordsOf(finals.join(' '))).toEqual(said)
    const words = wordsOf(confirmed.map(({ text }) => text).join(''))
    expect(words.length).toBeGreaterThan(said.length / 2)
    const strangers = align(words, said).ofInput.filter((partner) => partner < 0)
    expect(strangers.length).toBeLessThan(said.length * 1.5 * ERROR_RATE)
    expect(Math.max(...requests.map(({ samples }) => samples))).toBeLessThanOrEqual(28 * 16_000)
    for (const [index, { startMs, endMs }] of confirmed.entries()) {
      expect(startMs).toBeGreaterThanOrEqual(confirmed[index - 1]?.endMs ?? 0)
      expect(endMs).toBeGreaterThanOrEqual(startMs)
    }
  })
}
