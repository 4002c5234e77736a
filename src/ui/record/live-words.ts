// Live text: final words, followed by words that may still change.

import type { LiveMessage } from '../server/wire.ts'

type Utterance = { utterance: number; final: string | null; confirmed: string; partial: string }

export type LiveWords = {
  /** text of earlier streams that were interrupted */
  before: string
  utterances: readonly Utterance[]
}

export const NO_WORDS: LiveWords = { before: '', utterances: [] }

export function wordsAfter(words: LiveWords, message: LiveMessage): LiveWords {
  switch (message.type) {
    case 'confirmed':
      return change(words, message.utterance, ({ confirmed }) => ({
        confirmed: confirmed + message.text,
        partial: '',
      }))
    case 'partial':
      return change(words, message.utterance, () => ({ partial: message.text }))
    case 'final':
      return change(words, message.utterance, () => ({ final: message.refined_text ?? message.text }))
    default:
      return words
  }
}

function change(
  words: LiveWords,
  utterance: number,
  changed: (one: Utterance) => Partial<Utterance>,
): LiveWords {
  const others = words.utterances.filter((one) => one.utterance !== utterance)
  const empty: Utterance = { utterance, final: null, confirmed: '', partial: '' }
  const one = words.utterances.find((old) => old.utterance === utterance) ?? empty
  return {
    ...words,
    utterances: [...others, { ...one, ...changed(one) }].sort((a, b) => a.utterance - b.utterance),
  }
}

/** Starts the next stream after an interruption; an ellipsis marks the gap. */
export const beforeNextStream = (words: LiveWords): LiveWords => ({
  before: `${textOfWords(words)} …`.trimStart(),
  utterances: [],
})

/** The final text, and the text after it that may change. */
export function shownWords({ before, utterances }: LiveWords): { certain: string; changing: string } {
  const last = utterances.at(-1)
  const certain = [before, ...utterances.map(({ final, confirmed }) => final ?? confirmed)].reduce(joined, '')
  return { certain, changing: last?.final === null ? last.partial : '' }
}

export const textOfWords = (words: LiveWords): string => {
  const { certain, changing } = shownWords(words)
  return joined(certain, changing)
}

/** Scripts without spaces between sentences. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}。、！？]$/u

export function joined(text: string, more: string): string {
  const next = more.trim()
  if (text === '' || next === '') return text || next
  return UNSPACED.test(text) ? text + next : `${text} ${next}`
}
