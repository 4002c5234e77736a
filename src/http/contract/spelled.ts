// Reads what a request brings as it was meant, where a schema says how a value may also be written (schema.ts).
// What has no such spelling stays as it is; input.ts checks the result.

import type { TObject, TSchema } from '@sinclair/typebox'
import { type Spelling, spellingOf } from './schema.ts'

type Reader = (value: unknown) => unknown

/** Null where nothing below the schema may be written otherwise, so that large bodies are not walked through in vain. */
export function spelledReader(schema: TSchema): Reader | null {
  const spelling = spellingOf(schema)
  if (spelling !== undefined) return (value) => (typeof value === 'string' ? meant(spelling, value) : value)
  for (const branch of [schema, ...((schema.anyOf as TSchema[] | undefined) ?? [])]) {
    if (branch.type === 'object') return objectReader(branch as TObject)
    if (branch.type === 'array') return listReader(branch.items as TSchema | undefined)
  }
  return null
}

const meant = ({ read }: Spelling, text: string): string => read(text) ?? text

function objectReader({ properties = {} }: Partial<TObject>): Reader | null {
  const readers = Object.entries(properties).flatMap(([name, schema]) => {
    const read = spelledReader(schema)
    return read === null ? [] : [{ name, read }]
  })
  if (readers.length === 0) return null
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const given = readers.filter(({ name }) => Object.hasOwn(value, name))
    const read = given.map(({ name, read }) => [name, read((value as Record<string, unknown>)[name])])
    // Spread, a key called `__proto__` stays a key, to be refused like any other that is not known.
    return given.length === 0 ? value : { ...value, ...Object.fromEntries(read) }
  }
}

function listReader(items: TSchema | undefined): Reader | null {
  const read = items === undefined ? null : spelledReader(items)
  return read === null ? null : (value) => (Array.isArray(value) ? value.map(read) : value)
}
