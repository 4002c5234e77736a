// Replaces other spellings of a value by the value itself, for schemas that declare them (`spelled` in schema.ts).

import type { TObject, TSchema } from '@sinclair/typebox'
import { type Spelling, spellingOf } from './schema.ts'

type Reader = (value: unknown) => unknown

/** Null if no part of the schema has other spellings, so that large bodies are not walked for nothing. */
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
    // With a spread, a key called `__proto__` remains a key and is rejected as unknown.
    return given.length === 0 ? value : { ...value, ...Object.fromEntries(read) }
  }
}

function listReader(items: TSchema | undefined): Reader | null {
  const read = items === undefined ? null : spelledReader(items)
  return read === null ? null : (value) => (Array.isArray(value) ? value.map(read) : value)
}
