// A form field with its label, help and error, which may come from the server. Settings, which save one by one, use settings/setting-field.tsx.

import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Refused } from '../server/request.ts'
import { textOfError } from './toasts.tsx'

type Given = {
  id: string
  label: string
  help?: string
  fault?: string | null
  children: ComponentChildren
}

/** The input itself must reference `describedBy(id)`. */
export const FormField = ({ id, label, help, fault, children }: Given) => (
  <div class="field">
    <label for={id}>{label}</label>
    {children}
    {help && (
      <p id={`${id}-help`} class="muted small">
        {help}
      </p>
    )}
    <p id={`${id}-fault`} class="fault small" role="alert">
      {fault ? `${label} ${fault}.` : null}
    </p>
  </div>
)

export const describedBy = (id: string): string => `${id}-help ${id}-fault`

type Flag = {
  id: string
  label: string
  value: boolean
  set: (value: boolean) => void
  fault?: string | null
}

export const FlagField = ({ id, label, value, set, fault }: Flag) => (
  <div>
    <div class="choice">
      <input
        id={id}
        type="checkbox"
        checked={value}
        onChange={({ currentTarget }) => set(currentTarget.checked)}
      />
      <label for={id}>{label}</label>
    </div>
    {fault && (
      <p class="fault small" role="alert">
        {label} {fault}.
      </p>
    )}
  </div>
)

type Pick<Value extends string> = {
  id: string
  label: string
  help?: string
  fault?: string | null
  value: Value
  options: readonly { value: Value; name: string }[]
  set: (value: Value) => void
}

export const PickField = <Value extends string>({ id, value, options, set, ...rest }: Pick<Value>) => (
  <FormField id={id} {...rest}>
    <select
      id={id}
      value={value}
      aria-describedby={describedBy(id)}
      onChange={({ currentTarget }) => set(currentTarget.value as Value)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.name}
        </option>
      ))}
    </select>
  </FormField>
)

type Line = {
  id: string
  label: string
  help?: string
  fault?: string | null
  value: string
  set: (value: string) => void
  /** more than 1: a textarea */
  rows?: number
  isRequired?: boolean
  isNumber?: boolean
}

export const LineField = ({ id, value, set, rows = 1, isRequired, isNumber, ...rest }: Line) => {
  const shared = {
    id,
    value,
    required: isRequired ?? false,
    'aria-describedby': describedBy(id),
    'aria-invalid': rest.fault != null,
  }
  return (
    <FormField id={id} {...rest}>
      {rows > 1 ? (
        <textarea {...shared} rows={rows} onInput={({ currentTarget }) => set(currentTarget.value)} />
      ) : (
        <input
          {...shared}
          inputMode={isNumber ? 'numeric' : 'text'}
          autocomplete="off"
          onInput={({ currentTarget }) => set(currentTarget.value)}
        />
      )}
    </FormField>
  )
}

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

export const valuesIn = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** An integer as a number; any other input unchanged, so that the server explains what is wrong. */
export const sentNumber = (text: string): number | string =>
  /^\s*-?\d+\s*$/.test(text) ? Number(text) : text

/** Longer than the pause between two keys. */
const PAUSE_MS = 200

export function useDebounced<T>(value: T): T {
  const [settled, settle] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => settle(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
