// What changed from one text to another, word by word, in any script.
// How it is shown is changed-text.tsx.

import { diffWords } from 'diff'

export type TextChange = { text: string; kind: 'same' | 'new' | 'gone' }

/** Texts that have little in common would take minutes; they are told as one change. */
const PATIENCE_MS = 800

/** @param language as BCP 47, by which words are told apart; null: as in English */
export function textChanges(before: string, after: string, language: string | null): TextChange[] {
  // Marks that stand alone make the segmenter and the comparison disagree about where a word ends.
  const [one, other] = [before.normalize('NFC'), after.normalize('NFC')]
  const changes = compared(one, other, language)
  return (
    changes ?? [
      { value: one, removed: true, added: false },
      { value: other, removed: false, added: true },
    ]
  )
    .filter(({ value }) => value !== '')
    .map(({ value, added, removed }) => ({ text: value, kind: added ? 'new' : removed ? 'gone' : 'same' }))
}

function compared(one: string, other: string, language: string | null) {
  try {
    const intlSegmenter = new Intl.Segmenter(language ?? 'en', { granularity: 'word' })
    const changes = diffWords(one, other, { intlSegmenter, timeout: PATIENCE_MS })
    const told = changes?.map(({ value, removed }) => (removed ? '' : value)).join('')
    return told === other ? changes : undefined
  } catch {
    return undefined
  }
}
