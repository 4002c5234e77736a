// Edits the text of a segment in place. Blur saves, Enter saves and opens the next segment, Escape discards. Each save
// creates a version on the server, so typing pauses do not save; meanwhile the edit is stored as a draft.

import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { announce, note, noteFault, offerUndo } from '../parts/toasts.tsx'
import { Refused } from '../server/request.ts'
import type { ChangedCapture, ShownSegment } from '../server/wire.ts'
import { filled, strings } from '../strings/strings.ts'
import { alwaysWrite, replacedWords } from './always-write.ts'
import { draftTextOf, dropDraft, keepDraft } from './drafts.ts'
import { hasOlder, previewOlder } from './older-recordings.tsx'
import { writeSegment } from './segment-text.ts'
import type { TranscriptState } from './timed-words.ts'

type Props = {
  segment: ShownSegment
  shared: TranscriptState
  caret: { from: number; to: number }
  isLast: boolean
  onSaved: (changed: ChangedCapture) => void
}

export const SegmentEditor = ({ segment, shared, caret, isLast, onSaved }: Props) => {
  const field = useRef<HTMLTextAreaElement>(null)
  const [refusal, refuse] = useState<string | null>(null)
  /** Set before the field is removed, because removing it also triggers blur. */
  const isLeaving = useRef(false)
  const { capture: text } = strings.value
  const { id } = shared

  // Focus before the next key press.
  useLayoutEffect(() => {
    const area = field.current!
    area.focus()
    area.setSelectionRange(caret.from, caret.to)
  }, [])

  const patch = (words: string) => writeSegment(id, segment.id, words)

  const leave = (next: number | null): void => {
    isLeaving.current = true
    dropDraft(id)
    const hadFocus = document.activeElement === field.current
    // The user may have opened another segment meanwhile.
    if (shared.editing.value?.segment !== segment.id) return
    shared.editing.value = next === null ? null : { segment: next, from: 0, to: 0 }
    if (next === null && hadFocus) focusOpener(segment.id)
  }

  const save = async (next: number | null): Promise<void> => {
    if (isLeaving.current) return
    const typed = field.current!.value.trim()
    const former = segment.text
    if (typed === former.trim()) return leave(next)
    isLeaving.current = true
    try {
      const changed = await patch(typed)
      onSaved(changed)
      leave(next)
      for (const { message } of changed.warnings) note(message)
      const replaced = replacedWords(former, typed)
      offerUndo(
        text.saved,
        async () => onSaved(await patch(former)),
        replaced && {
          label: filled(text.alwaysWrite, replaced),
          act: () =>
            void alwaysWrite({
              captureId: id,
              replaced,
              onSaved,
              isInOlder: () => hasOlder(id, replaced),
              onOlder: () => previewOlder(id, replaced),
            }),
        },
      )
    } catch (error) {
      isLeaving.current = false
      // The draft stays in the field; the next blur retries.
      if (error instanceof Refused && error.problem.code === 'capture_busy') refuse(text.busy)
      else noteFault(error)
    }
  }

  return (
    <span class="editor">
      <textarea
        ref={field}
        rows={1}
        dir="auto"
        lang={segment.language ?? undefined}
        maxLength={10_000}
        aria-label={text.editLabel}
        aria-describedby={refusal ? 'segment-refusal' : undefined}
        defaultValue={draftTextOf(id, segment)}
        onInput={({ currentTarget }) =>
          keepDraft(id, { segment: segment.id, of: segment.text, text: currentTarget.value })
        }
        onBlur={() => void save(null)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.preventDefault()
            giveUp()
          } else if (event.key === 'Enter' && !event.shiftKey) {
            event.preventDefault()
            void save(isLast || event.ctrlKey || event.metaKey ? null : segment.id + 1)
          }
        }}
      />
      {refusal && (
        <span id="segment-refusal" class="fault small" role="alert">
          {refusal}
        </span>
      )}
    </span>
  )

  function giveUp(): void {
    isLeaving.current = true
    dropDraft(id)
    shared.editing.value = null
    announce(text.givenUp)
    focusOpener(segment.id)
  }
}

/** Focuses the button of the paragraph, which may be another one after the change. */
const focusOpener = (segment: number): void =>
  void requestAnimationFrame(() => {
    const piece = document.querySelector(`.transcript [data-segment="${segment}"]`)
    piece?.closest('li')?.querySelector<HTMLElement>('.edit')?.focus()
  })
