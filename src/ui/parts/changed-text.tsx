// A word-by-word diff as `<del>` and `<ins>`.

import { useMemo } from 'preact/hooks'
import { type TextChange, textChanges } from './text-changes.ts'

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
