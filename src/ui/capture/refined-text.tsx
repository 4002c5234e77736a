// The refined text of a capture, edited as a whole: refinement may move words, so no part of it belongs to a segment.
// Blur saves, Escape discards; meanwhile the edit is stored as a draft.

import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../parts/icons.tsx'
import { pointer } from '../parts/pointer.ts'
import { announce, noteFault, offerUndo } from '../parts/toasts.tsx'
import { request } from '../server/request.ts'
import type { DetailedCapture } from '../server/wire.ts'
import { strings } from '../strings/strings.ts'
import type { CaptureState } from './capture-state.ts'
import { dropRefinedDraft, keepRefinedDraft, refinedDraftOf } from './drafts.ts'

type Props = {
  capture: DetailedCapture
  refined: string
  state: CaptureState
  /** shown in front of the tools of the text */
  children: ComponentChildren
}

export const WholeRefined = ({ capture, refined, state, children }: Props) => {
  const { id, detected_language: language } = capture
  const [isEditing, edit] = useState(() => refinedDraftOf(id, refined) !== null)
  const opener = useRef<HTMLButtonElement>(null)
  const returnsFocus = useRef(false)
  const { capture: text } = strings.value

  useEffect(() => {
    if (!isEditing && returnsFocus.current) opener.current?.focus()
    returnsFocus.current = false
  }, [isEditing])

  const patch = async (words: string): Promise<void> => {
    state.capture.value = await request<DetailedCapture>(`/captures/${id}`, {
      method: 'PATCH',
      json: { transcript_refined: words === '' ? null : words },
    })
  }
  const leave = (hadFocus: boolean): void => {
    dropRefinedDraft(id)
    returnsFocus.current = hadFocus
    edit(false)
  }
  /** @returns whether the text was saved; a failure has been reported */
  const save = async (typed: string, hadFocus: boolean): Promise<boolean> => {
    try {
      if (typed !== refined.trim()) {
        await patch(typed)
        offerUndo(text.saved, () => patch(refined))
      }
      leave(hadFocus)
      return true
    } catch (error) {
      noteFault(error)
      return false
    }
  }
  return (
    <section class="textpart" aria-label={text.refinedText}>
      <h2 class="unseen">{text.refinedText}</h2>
      <div class="row texthead">
        {children}
        {!isEditing && (
          <button
            ref={opener}
            type="button"
            class="quiet icon"
            title={text.editRefined}
            aria-label={text.editRefined}
            onClick={() => edit(true)}
          >
            <Icon name="edit" />
          </button>
        )}
      </div>
      {isEditing ? (
        <RefinedField
          capture={capture}
          refined={refined}
          onSave={save}
          onGiveUp={() => {
            announce(text.givenUp)
            leave(true)
          }}
        />
      ) : (
        <p
          class="refinedtext"
          dir="auto"
          lang={language ?? undefined}
          // The button does the same by keyboard.
          onDblClick={() => edit(true)}
        >
          {refined}
        </p>
      )}
      <p class="muted small texthelp">{text.refinedHelp[pointer.value]}</p>
    </section>
  )
}

type FieldProps = {
  capture: DetailedCapture
  refined: string
  onSave: (typed: string, hadFocus: boolean) => Promise<boolean>
  onGiveUp: () => void
}

const RefinedField = ({ capture, refined, onSave, onGiveUp }: FieldProps) => {
  const { id, detected_language: language } = capture
  const field = useRef<HTMLTextAreaElement>(null)
  /** Set before the field is removed, because removing it also triggers blur. */
  const isLeaving = useRef(false)
  // Focus before the next key press.
  useLayoutEffect(() => field.current?.focus(), [])

  const save = async (hadFocus: boolean): Promise<void> => {
    if (isLeaving.current) return
    isLeaving.current = true
    // If saving fails, the text stays in the field and the next blur retries.
    isLeaving.current = await onSave(field.current!.value.trim(), hadFocus)
  }
  return (
    <textarea
      ref={field}
      class="refinedtext"
      rows={4}
      dir="auto"
      lang={language ?? undefined}
      maxLength={1_000_000}
      aria-label={strings.value.capture.refinedLabel}
      defaultValue={refinedDraftOf(id, refined) ?? refined}
      onInput={({ currentTarget }) => keepRefinedDraft(id, { of: refined, text: currentTarget.value })}
      onBlur={() => void save(false)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.preventDefault()
          isLeaving.current = true
          onGiveUp()
        } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault()
          void save(true)
        }
      }}
    />
  )
}
