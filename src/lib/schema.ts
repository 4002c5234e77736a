// Builders for common schemas, of entities and of the wire.

import { type TSchema, Type } from '@sinclair/typebox'

/** A string enum. In the OpenAPI document it becomes a string with `enum`. */
export const oneOf = <const Words extends readonly string[]>(
  words: Words,
  options: { description?: string; default?: Words[number]; $id?: string } = {},
) =>
  Type.Union(
    words.map((word) => Type.Literal(word as Words[number])),
    options,
  )

/** A value, or null if it is unknown. */
export const nullable = <S extends TSchema>(schema: S, options: { description?: string } = {}) =>
  Type.Union([schema, Type.Null()], options)

/** An id created by this server (UUIDv7). The pattern accepts any UUID. */
export const uuid = (options: { description?: string } = {}) =>
  Type.String({
    format: 'uuid',
    pattern: '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$',
    ...options,
  })
