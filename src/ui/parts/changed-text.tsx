// A word-by-word diff as `<del>` and `<ins>`.

import { diffWords } from 'diff'
import { useMemo } from 'preact/hooks'

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

type Props = { from: string; to: string; language?: string | null }

export const ChangedText = ({ from, to, language = null }: Props) => (
  <MarkedChanges
    changes={useMemo(() => textChanges(from, to, language), [from, to, language])}
    language={language}
  />
)

export const MarkedChanges = ({ changes, language }: { changes: TextChange[]; language: string | null }) => (
  <p class="changed" dir="auto" lang={language ?? undefined}>
    {changes.map(({ text, kind }, at) => {
      if (kind === 'new') return <ins key={at}>{text}</ins>
      if (kind === 'gone') return <del key={at}>{text}</del>
      return text
    })}
  </p>
)
