// The search field; searches shortly after the last key press.

import { useSignalEffect } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import { chordName } from '../keys/chord.ts'
import { isSearchRequested, shortcuts } from '../keys/shortcuts.ts'
import { strings } from '../strings/strings.ts'

/** Longer than the pause between two keys, shorter than that between two words. */
const PAUSE_MS = 180

export const SearchBox = ({ words, onWords }: { words: string; onWords: (words: string) => void }) => {
  const [typed, type] = useState(words)
  const field = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  // Navigation changes the words, but not while the user is typing.
  useEffect(() => {
    if (timer.current === undefined) type(words)
  }, [words])
  useEffect(() => {
    return () => clearTimeout(timer.current)
  }, [])
  // Also when the shortcut opened this view, after the heading took the focus.
  useSignalEffect(() => {
    if (!isSearchRequested.value) return
    requestAnimationFrame(() => {
      field.current?.select()
      isSearchRequested.value = false
    })
  })
  const chord = shortcuts.search.value

  const settle = (value: string): void => {
    clearTimeout(timer.current)
    timer.current = undefined
    onWords(value)
  }

  return (
    <search class="search">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          settle(typed)
        }}
      >
        <input
          ref={field}
          type="search"
          name="q"
          value={typed}
          maxLength={500}
          autocomplete="off"
          placeholder={strings.value.captures.search}
          aria-label={strings.value.captures.search}
          title={chord ? chordName(chord) : undefined}
          onInput={({ currentTarget: { value } }) => {
            type(value)
            clearTimeout(timer.current)
            timer.current = setTimeout(() => settle(value), PAUSE_MS)
          }}
        />
      </form>
    </search>
  )
}
