// What a view asks the server for when it is opened, and once more when the server is back: waiting, the answer, or why
// there is none with a way to try again. What is made of the answer is each view's own.

import type { ComponentChildren } from 'preact'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { onServerEvent } from '../server/connection.ts'
import { strings } from '../strings/strings.ts'
import { sentenceOf } from './sentence.ts'

export type AskedOf<T> = {
  /** the last answer, also while it is asked for again */
  value: T | null
  error: unknown
  again: () => Promise<void>
  /** what is known without asking, such as the answer to a change */
  put: (value: T) => void
}

/** @param about what `load` depends on: when it changes, it is asked anew and the last who asked wins */
export function useAsked<T>(
  load: (signal: AbortSignal) => Promise<T>,
  about: readonly unknown[] = [],
): AskedOf<T> {
  const [{ value, error }, set] = useState<{ value: T | null; error: unknown }>({ value: null, error: null })
  const newest = useRef<AbortController | null>(null)
  const again = useCallback(async () => {
    newest.current?.abort()
    const own = new AbortController()
    newest.current = own
    try {
      const answer = await load(own.signal)
      if (!own.signal.aborted) set({ value: answer, error: null })
    } catch (refusal) {
      if (!own.signal.aborted) set((before) => ({ ...before, error: refusal }))
    }
  }, about)
  useEffect(() => {
    void again()
    const end = onServerEvent(({ name }) => name === 'reset' && void again())
    return () => {
      end()
      newest.current?.abort()
    }
  }, [again])
  const put = (answer: T) => {
    newest.current?.abort()
    set({ value: answer, error: null })
  }
  return { value, error, again, put }
}

export function WhenAnswered<T>({
  of,
  children,
}: {
  of: AskedOf<T>
  children: (value: T) => ComponentChildren
}) {
  const { value, error, again } = of
  const { shell, parts } = strings.value
  return (
    <>
      {error !== null && (
        <div role="alert" class="row">
          <p class="fault">{sentenceOf(error)}</p>
          <button type="button" onClick={() => void again()}>
            {parts.tryAgain}
          </button>
        </div>
      )}
      {value === null && error === null && <p class="muted">{shell.loading}</p>}
      {value !== null && children(value)}
    </>
  )
}
