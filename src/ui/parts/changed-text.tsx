// What became of a text, word by word: what went is struck out, what came is underlined.
// Of texts that are too long or too different to compare, only the new one is shown.

import { diffWords } from 'diff'

/** In milliseconds: a person types meanwhile. */
const PATIENCE_MS = 200

export const ChangedText = ({ from, to }: { from: string; to: string }) => {
  const changes = diffWords(from.normalize('NFC'), to.normalize('NFC'), { timeout: PATIENCE_MS })
  if (changes === undefined) return <p class="changed">{to}</p>
  return (
    <p class="changed" dir="auto">
      {changes.map(({ value, added, removed }, at) => {
        if (removed) return <del key={at}>{value}</del>
        if (added) return <ins key={at}>{value}</ins>
        return value
      })}
    </p>
  )
}
