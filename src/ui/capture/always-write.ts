// After a correction, the same words can always be written so: by an entry of the dictionary for later recordings, and at
// once in the rest of this one. Undo takes back both. Older recordings are offered separately (older-recordings.tsx).

import { noteFault, offerUndo } from '../parts/toasts.tsx'
import { request } from '../server/request.ts'
import type { ChangedCapture, DetailedCapture, ShownEntry, ShownSegment } from '../server/wire.ts'
import { filled, strings } from '../strings/strings.ts'
import { writeSegment } from './segment-text.ts'

export type Replaced = { word: string; replacement: string }

/** More words than this are another sentence, not the correction of a name. */
const MAX_WORDS = 4

/** The words that one correction replaced, without the punctuation around them; null if it did more or something else. */
export function replacedWords(before: string, after: string): Replaced | null {
  const [old, now] = [wordsOf(before), wordsOf(after)]
  while (old.length > 0 && now.length > 0 && old[0] === now[0]) {
    old.shift()
    now.shift()
  }
  while (old.length > 0 && now.length > 0 && old.at(-1) === now.at(-1)) {
    old.pop()
    now.pop()
  }
  if (Math.max(old.length, now.length) > MAX_WORDS) return null
  const [word, replacement] = [bareWords(old), bareWords(now)]
  const isSame = spoken(word) === spoken(replacement)
  return word === '' || replacement === '' || isSame ? null : { word, replacement }
}

const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '')

const bareWords = (words: readonly string[]): string => words.join(' ').replace(/^\p{P}+|\p{P}+$/gu, '')

/** The segments that contain the word as a whole, with their corrected texts. */
export function correctedSegments(
  segments: readonly Pick<ShownSegment, 'id' | 'text'>[],
  { word, replacement }: Replaced,
): { id: number; before: string; after: string }[] {
  const letter = '[\\p{L}\\p{N}\\p{M}]'
  const literal = word.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
  const whole = new RegExp(`(?<!${letter})${literal}(?!${letter})`, 'gv')
  return segments.flatMap(({ id, text }) => {
    const after = text.replace(whole, () => replacement)
    return after === text ? [] : [{ id, before: text, after }]
  })
}

/** Without punctuation, which a dictionary does not correct. */
const spoken = (text: string): string => text.replace(/\p{P}/gu, '')

type Given = {
  captureId: string
  replaced: Replaced
  onSaved: (changed: ChangedCapture) => void
  /** whether older recordings have the words, too */
  isInOlder: () => Promise<boolean>
  /** opens the preview of the change in older recordings */
  onOlder: () => void
}

export async function alwaysWrite({
  captureId,
  replaced,
  onSaved,
  isInOlder,
  onOlder,
}: Given): Promise<void> {
  const { capture: text } = strings.value
  const write = async (segment: number, words: string): Promise<void> =>
    onSaved(await writeSegment(captureId, segment, words))
  try {
    const { id } = await request<ShownEntry>('/dictionary', { method: 'POST', json: replaced })
    const { segments } = await request<DetailedCapture>(`/captures/${captureId}`)
    const corrected = correctedSegments(segments, replaced)
    for (const one of corrected) await write(one.id, one.after)
    offerUndo(
      filled(text.alwaysNow, replaced),
      async () => {
        await request(`/dictionary/${id}`, { method: 'DELETE' })
        for (const one of corrected) await write(one.id, one.before)
      },
      (await isInOlder()) ? { label: text.older, act: onOlder } : null,
    )
  } catch (error) {
    noteFault(error)
  }
}
