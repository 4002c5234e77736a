// Loads the data of a view when it opens and again when the server is back, with a waiting state and a retry button.

import type { ComponentChildren } from 'preact'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { onServerEvent } from '../server/connection.ts'
import { strings } from '../strings/strings.ts'
import { textOfError } from './toasts.tsx'

export type LoadState<T> = {
  /** the last response, also during a reload */
  value: T | null
  error: unknown
  reload: () => Promise<void>
  /** sets a value that is known without a request, such as the response to a change */
  put: (value: T) => void
}

/** @param about the dependencies of `load`: when they change, it reloads and the latest request wins */
export function useLoad<T>(
  load: (signal: AbortSignal) => Promise<T>,
  about: readonly unknown[] = [],
): LoadState<T> {
  const [{ value, error }, set] = useState<{ value: T | null; error: unknown }>({ value: null, error: null })
  const newest = useRef<AbortController | null>(null)
  const reload = useCallback(async () => {
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
    void reload()
    const end = onServerEvent(({ name }) => name === 'reset' && void reload())
    return () => {
      end()
      newest.current?.abort()
    }
  }, [reload])
  const put = (answer: T) => {
    newest.current?.abort()
    set({ value: answer, error: null })
  }
  return { value, error, reload, put }
}

export function WhenLoaded<T>({
  of,
  children,
}: {
  of: LoadState<T>
  children: (value: T) => ComponentChildren
}) {
  const { value, error, reload } = of
  const { shell, parts } = strings.value
  return (
    <>
      {error !== null && (
        <div role="alert" class="row">
          <p class="fault">{textOfError(error)}</p>
          <button type="button" onClick={() => void reload()}>
            {parts.tryAgain}
          </button>
        </div>
      )}
      {value === null && error === null && <p class="muted">{shell.loading}</p>}
      {value !== null && children(value)}
    </>
  )
}
