// Computes latency and accuracy of the live socket from a played clip; pure functions.

import { editDistance, wordsOf } from '../../test/support/speech.ts'
import type { Played } from './live-play.ts'

/** As in the batch transcript, in seconds of the clip. */
export type TimedWord = { word: string; end: number }

export type LiveFigures = {
  /** for each word shown: from its end to the first text that contains it */
  wordMs: number[]
  /** words of the batch transcript that were never shown */
  unshown: number
  words: number
  /** words in which all finals together differ from the batch transcript */
  wrong: number
  confirmed: number
  /** confirmed words that differ in their final */
  changed: number
  finals: number
}

/** A word may be off by a few positions in a text that is not final. */
const DRIFT = 2

const shows = (words: readonly string[], word: string, at: number): boolean =>
  words.slice(Math.max(0, at - DRIFT), at + DRIFT + 1).includes(word)

/** The displayed words after each message, and when. */
function textsOver(messages: Played['messages']): { atMs: number; words: string[] }[] {
  const utterances = new Map<number, { confirmed: string; partial: string }>()
  return messages.flatMap(({ atMs, message }) => {
    if (!['confirmed', 'partial', 'final'].includes(message.type)) return []
    const { utterance, text, type } = message as { utterance: number; text: string; type: string }
    const before = utterances.get(utterance) ?? { confirmed: '', partial: '' }
    const now =
      type === 'final'
        ? { confirmed: text, partial: '' }
        : type === 'confirmed'
          ? { ...before, confirmed: before.confirmed + text }
          : { ...before, partial: text }
    utterances.set(utterance, now)
    const all = [...utterances.values()].map(({ confirmed, partial }) => `${confirmed} ${partial}`)
    return [{ atMs, words: wordsOf(all.join(' ')) }]
  })
}

/** The minimum number of word edits that makes one text a prefix of the other. */
const apartFromBeginning = (words: readonly string[], whole: readonly string[]): number =>
  Math.min(
    ...Array.from({ length: whole.length + 1 }, (_, length) => editDistance(words, whole.slice(0, length))),
  )

export function liveFigures(
  { messages }: Pick<Played, 'messages'>,
  batch: readonly TimedWord[],
): LiveFigures {
  const texts = textsOver(messages)
  const timed = batch.flatMap(({ word, end }) => wordsOf(word).map((one) => ({ word: one, end })))
  const latencies = timed.map(({ word, end }, at) => {
    const shown = texts.find(({ words }) => shows(words, word, at))
    return shown ? shown.atMs - end * 1000 : null
  })
  const of = (type: string) =>
    messages.map(({ message }) => message).filter((message) => message.type === type)
  const finals = of('final')
  let [confirmed, changed] = [0, 0]
  for (const { utterance, text } of finals) {
    const own = of('confirmed').filter((one) => one.utterance === utterance)
    const words = wordsOf(own.map((one) => one.text).join(''))
    confirmed += words.length
    changed += apartFromBeginning(words, wordsOf(text))
  }
  return {
    wordMs: latencies.filter((one) => one !== null),
    unshown: latencies.filter((one) => one === null).length,
    words: timed.length,
    wrong: editDistance(
      wordsOf(finals.map(({ text }) => text).join(' ')),
      timed.map(({ word }) => word),
    ),
    confirmed,
    changed,
    finals: finals.length,
  }
}
