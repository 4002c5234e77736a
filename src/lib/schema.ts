// Small builders for schemas, of entities and of the wire.
// Holds no schema of anything; those stand with what they describe.

import { type TSchema, Type } from '@sinclair/typebox'

/** One of some words. In the document it becomes a string with `enum`. */
export const oneOf = <const Words extends readonly string[]>(
  words: Words,
  options: { description?: string; default?: Words[number]; $id?: string } = {},
) =>
  Type.Union(
    words.map((word) => Type.Literal(word as Words[number])),
    options,
  )

/** A value or null: null where it is not known, never an invented one. */
export const nullable = <S extends TSchema>(schema: S, options: { description?: string } = {}) =>
  Type.Union([schema, Type.Null()], options)

/** An id made by this server (UUIDv7); any UUID has the right form. */
export const uuid = (options: { description?: string } = {}) =>
  Type.String({
    format: 'uuid',
    pattern: '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$',
    ...options,
  })
