// The words that are searched for: asked for while they are typed, a moment after the last key.
// What is found is capture-list.ts's.

import { useEffect, useRef, useState } from 'preact/hooks'
import { strings } from '../strings/strings.ts'

/** Shorter than the pause between two words, longer than that between two keys. */
const PAUSE_MS = 180

export const SearchBox = ({ words, onWords }: { words: string; onWords: (words: string) => void }) => {
  const [typed, type] = useState(words)
  const field = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  // Another address, as by going back, brings other words; those that are being typed are newer.
  useEffect(() => {
    if (timer.current === undefined) type(words)
  }, [words])
  useEffect(() => {
    addEventListener('keydown', focusByKey)
    return () => {
      removeEventListener('keydown', focusByKey)
      clearTimeout(timer.current)
    }
  }, [])

  function focusByKey(event: KeyboardEvent): void {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    field.current?.select()
  }

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
          aria-keyshortcuts="Control+K"
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
