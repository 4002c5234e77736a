// A word-level diff of two texts in any script.

import { diffWords } from 'diff'

export type TextChange = { text: string; kind: 'same' | 'new' | 'gone' }

/** Diffing two texts with little in common would take minutes; after this time they are reported as one change. */
const PATIENCE_MS = 800

/** @param language BCP 47, for word segmentation; null: as in English */
export function textChanges(before: string, after: string, language: string | null): TextChange[] {
  // Free-standing combining characters make the segmenter and the diff disagree about word boundaries.
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
    const rebuilt = changes?.map(({ value, removed }) => (removed ? '' : value)).join('')
    return rebuilt === other ? changes : undefined
  } catch {
    return undefined
  }
}
