// What the server says against the fields of a form, to be shown beside each; the rest in one sentence.
// Sending the form is each view's.

import { useState } from 'preact/hooks'
import { Refused } from '../server/ask.ts'
import { sentenceOf } from './sentence.ts'

export type FieldFaults = {
  /** of a field by its name on the wire: "must not be empty"; null where there is none */
  of: (field: string) => string | null
  /** what is about no field that is shown */
  rest: string | null
  /** tries to send; @returns whether it was taken */
  trying: (send: () => Promise<unknown>) => Promise<boolean>
}

/** @param fields those that show their own */
export function useFieldFaults(fields: readonly string[]): FieldFaults {
  const [error, setError] = useState<unknown>(null)
  const errors = error instanceof Refused ? (error.problem.errors ?? []) : []
  const nameIn = (path: string) => path.split('/')[1] ?? ''
  const isShown = errors.length > 0 && errors.every(({ path }) => fields.includes(nameIn(path)))
  return {
    of: (field) => errors.find(({ path }) => nameIn(path) === field)?.message ?? null,
    rest: error === null || isShown ? null : sentenceOf(error),
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
