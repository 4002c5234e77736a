// Small builders for wire schemas, so that every route says the same thing in the same way.
// Holds no schema of a resource; those stand with their routes. What entities are built of too is lib/schema.ts.

import { type ObjectOptions, type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox'

/** An object that takes no other key: a misspelt one is told instead of ignored. */
export const strictObject = <P extends TProperties>(properties: P, options: ObjectOptions = {}) =>
  Type.Object(properties, { ...options, additionalProperties: false })

/** An object that takes any other key and does nothing with it: for interfaces of others, whose clients send what they like. */
export const openObject = <P extends TProperties>(properties: P, options: ObjectOptions = {}) =>
  Type.Object(properties, { ...options, additionalProperties: true })

/** The names that such an object took and nothing was done with. */
export const ignoredNames = (schema: TObject, values: object): string[] =>
  Object.keys(values).filter((name) => !Object.hasOwn(schema.properties, name))

/** How people write a value besides its own spelling. A schema carries it where no document shows it. */
export type Spelling = {
  /** the value that is meant; null where it means none */
  read(text: string): string | null
  /** the value that is perhaps meant by what means none */
  near(text: string): string | null
}
const SPELLING = Symbol('spelling')

export const spelled = <S extends TSchema>(schema: S, spelling: Spelling): S => ({
  ...schema,
  [SPELLING]: spelling,
})

/** That of a schema, or of the one branch of a choice that has it. */
export const spellingOf = (schema: TSchema): Spelling | undefined =>
  (schema as { [SPELLING]?: Spelling })[SPELLING] ??
  (schema.anyOf as TSchema[] | undefined)?.map(spellingOf).find((one) => one !== undefined)

/** A moment in UTC, ISO 8601 with `Z`. */
export const dateTime = (options: { description?: string } = {}) =>
  Type.String({ format: 'date-time', ...options })

export const wholeNumber = (options: {
  description?: string
  minimum?: number
  maximum?: number
  default?: number
}) => Type.Integer(options)

export const text = (options: {
  description?: string
  minLength?: number
  maxLength?: number
  default?: string
  pattern?: string
}) => Type.String(options)

export const flag = (options: { description?: string; default?: boolean }) => Type.Boolean(options)

/** `{items, total}` with what a page of it takes as query parameters. */
export const pageQuery = {
  limit: Type.Optional(
    wholeNumber({ description: 'how many at most', minimum: 1, maximum: 200, default: 50 }),
  ),
  offset: Type.Optional(wholeNumber({ description: 'how many to skip', minimum: 0, default: 0 })),
}

export const listOf = <S extends TSchema>(items: S, options: ObjectOptions) =>
  strictObject(
    { items: Type.Array(items), total: Type.Integer({ minimum: 0, description: 'matches in all' }) },
    options,
  )
