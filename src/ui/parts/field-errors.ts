// Maps the field errors of a response to the fields of a form; the rest becomes one sentence.

import { useState } from 'preact/hooks'
import { Refused } from '../server/request.ts'
import { textOfError } from './error-message.ts'

export type FieldErrors = {
  /** the error of a field, by its name on the wire: "must not be empty"; null if there is none */
  of: (field: string) => string | null
  /** errors that concern no displayed field */
  rest: string | null
  /** sends the form; @returns whether the server accepted it */
  trying: (send: () => Promise<unknown>) => Promise<boolean>
}

/** @param fields fields that display their own errors */
export function useFieldErrors(fields: readonly string[]): FieldErrors {
  const [error, setError] = useState<unknown>(null)
  const errors = error instanceof Refused ? (error.problem.errors ?? []) : []
  const nameIn = (path: string) => path.split('/')[1] ?? ''
  const isShown = errors.length > 0 && errors.every(({ path }) => fields.includes(nameIn(path)))
  return {
    of: (field) => errors.find(({ path }) => nameIn(path) === field)?.message ?? null,
    rest: error === null || isShown ? null : textOfError(error),
    async trying(send) {
      setError(null)
      try {
        await send()
        return true
      } catch (refusal) {
        setError(refusal)
        return false
      }
    },
  }
}
