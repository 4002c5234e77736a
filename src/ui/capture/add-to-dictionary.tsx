// Adds a misrecognised word and its correct spelling to the dictionary, or edits the existing entry.

import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { note, noteFault, offerUndo } from '../parts/toasts.tsx'
import { Refused, request } from '../server/request.ts'
import type { ShownEntry } from '../server/wire.ts'
import { filled, strings } from '../strings/strings.ts'

type Props = { word: string; language: string | null; onDone: () => void }

export const AddToDictionary = ({ word, language, onDone }: Props) => {
  const [typed, type] = useState({ word: bare(word), replacement: '' })
  const [existing, meet] = useState<ShownEntry | null>(null)
  const first = useRef<HTMLInputElement>(null)
  const { capture: text } = strings.value
  useLayoutEffect(() => first.current?.focus(), [])

  const entry = (): { word: string; replacement: string | null } => ({
    word: typed.word.trim(),
    replacement: typed.replacement.trim() === '' ? null : typed.replacement.trim(),
  })
  const create = async (): Promise<void> => {
    const { id } = await request<ShownEntry>('/dictionary', { method: 'POST', json: entry() })
    offerUndo(filled(text.added, { word: typed.word }), () =>
      request(`/dictionary/${id}`, { method: 'DELETE' }),
    )
    onDone()
  }
  const change = async ({ id }: ShownEntry): Promise<void> => {
    const { word: _word, replacement } = entry()
    const type = replacement === null ? 'term' : 'replacement'
    await request(`/dictionary/${id}`, { method: 'PATCH', json: { type, replacement } })
    note(filled(text.entryChanged, { word: typed.word }))
    onDone()
  }
  const submit = async (): Promise<void> => {
    try {
      await (existing ? change(existing) : create())
    } catch (error) {
      const id = error instanceof Refused ? error.problem.conflict_id : undefined
      if (id === undefined) return noteFault(error)
      meet(await request<ShownEntry>(`/dictionary/${id}`).catch(() => null))
    }
  }
  return (
    <form
      class="stack"
      aria-label={text.addTitle}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onDone()
      }}
    >
      <div class="row">
        <label class="field">
          <span class="label">{text.heardAs}</span>
          <input
            ref={first}
            required
            maxLength={100}
            lang={language ?? undefined}
            value={typed.word}
            onInput={({ currentTarget }) => {
              meet(null)
              type({ ...typed, word: currentTarget.value })
            }}
          />
        </label>
        <label class="field">
          <span class="label">{text.writtenAs}</span>
          <input
            lang={language ?? undefined}
            value={typed.replacement}
            placeholder={text.writtenAsSame}
            onInput={({ currentTarget }) => type({ ...typed, replacement: currentTarget.value })}
          />
        </label>
      </div>
      {existing && <p role="alert">{knownAs(existing)}</p>}
      <div class="row">
        <button type="submit" class="primary">
          {existing ? text.changeEntry : text.add}
        </button>
        <button type="button" onClick={onDone}>
          {text.cancel}
        </button>
      </div>
    </form>
  )
}

function knownAs({ type, word, replacement }: ShownEntry): string {
  const { exists, existsAsTerm, existsAsOmitted } = strings.value.capture
  if (type === 'omit') return filled(existsAsOmitted, { word })
  return replacement === null ? filled(existsAsTerm, { word }) : filled(exists, { word, replacement })
}

/** Strips the punctuation around a selected word. */
const bare = (word: string): string => word.replace(/^[\p{P}\s]+|[\p{P}\s]+$/gu, '')
