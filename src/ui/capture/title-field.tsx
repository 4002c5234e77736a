// The editable title of a capture. If it is cleared, the server derives it from the file name or the first words.

import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../parts/icons.tsx'
import { Heading } from '../parts/layout.tsx'
import { noteFault, offerUndo } from '../parts/toasts.tsx'
import { request } from '../server/request.ts'
import type { DetailedCapture } from '../server/wire.ts'
import { strings } from '../strings/strings.ts'
import type { CaptureState } from './capture-state.ts'

type Props = { capture: DetailedCapture; state: CaptureState }

export const TitleField = ({ capture, state }: Props) => {
  const [isEditing, edit] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const wasEditing = useRef(false)
  // Select before the next key press.
  useLayoutEffect(() => {
    if (isEditing) field.current?.select()
    else if (wasEditing.current) opener.current?.focus()
    wasEditing.current = isEditing
  }, [isEditing])
  const { capture: text, captures } = strings.value

  const set = async (title: string | null): Promise<void> => {
    state.capture.value = await request<DetailedCapture>(`/captures/${capture.id}`, {
      method: 'PATCH',
      json: { title },
    })
  }
  const save = async (typed: string): Promise<void> => {
    edit(false)
    const title = typed.trim()
    const former = capture.title
    if (title === former) return
    try {
      await set(title === '' ? null : title)
      offerUndo(text.titleChanged, () => set(former))
    } catch (error) {
      noteFault(error)
    }
  }

  if (!isEditing) {
    return (
      <div class="titlerow">
        <Heading text={capture.title || captures.untitled} />
        <button
          ref={opener}
          type="button"
          class="quiet icon"
          title={text.editTitle}
          aria-label={text.editTitle}
          onClick={() => edit(true)}
        >
          <Icon name="edit" />
        </button>
      </div>
    )
  }
  return (
    <form
      class="row titlerow"
      onSubmit={(event) => {
        event.preventDefault()
        void save(field.current!.value)
      }}
    >
      <h1 class="unseen">{capture.title}</h1>
      <input
        ref={field}
        class="wide"
        aria-label={text.titleLabel}
        defaultValue={capture.title}
        maxLength={500}
        onKeyDown={(event) => {
          if (event.key === 'Escape') edit(false)
        }}
      />
      <button type="submit" class="primary">
        {text.save}
      </button>
      <button type="button" onClick={() => edit(false)}>
        {text.cancel}
      </button>
    </form>
  )
}
