// Replaces other spellings of a value by the value itself, for schemas that declare them (`withAliases` in schema.ts).

import type { TObject, TSchema } from '@sinclair/typebox'
import { type Aliases, aliasesOf } from './schema.ts'

type Reader = (value: unknown) => unknown

/** Null if no part of the schema has other spellings, so that large bodies are not walked for nothing. */
export function aliasReader(schema: TSchema): Reader | null {
  const aliases = aliasesOf(schema)
  if (aliases !== undefined) return (value) => (typeof value === 'string' ? meant(aliases, value) : value)
  for (const branch of [schema, ...((schema.anyOf as TSchema[] | undefined) ?? [])]) {
    if (branch.type === 'object') return objectReader(branch as TObject)
    if (branch.type === 'array') return listReader(branch.items as TSchema | undefined)
  }
  return null
}

const meant = ({ read }: Aliases, text: string): string => read(text) ?? text

function objectReader({ properties = {} }: Partial<TObject>): Reader | null {
  const readers = Object.entries(properties).flatMap(([name, schema]) => {
    const read = aliasReader(schema)
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
  const read = items === undefined ? null : aliasReader(items)
  return read === null ? null : (value) => (Array.isArray(value) ? value.map(read) : value)
}
