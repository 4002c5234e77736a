// Builders for wire schemas. Those that entities also use are in lib/schema.ts.

import { type ObjectOptions, type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox'

/** An object without additional keys: a misspelt key is reported instead of ignored. */
export const strictObject = <P extends TProperties>(properties: P, options: ObjectOptions = {}) =>
  Type.Object(properties, { ...options, additionalProperties: false })

/** An object that ignores additional keys: for compatible APIs, whose clients send keys that we do not support. */
export const openObject = <P extends TProperties>(properties: P, options: ObjectOptions = {}) =>
  Type.Object(properties, { ...options, additionalProperties: true })

/** The additional keys that an open object ignored. */
export const ignoredNames = (schema: TObject, values: object): string[] =>
  Object.keys(values).filter((name) => !Object.hasOwn(schema.properties, name))

/** Other spellings of a value. Stored in the schema under a symbol, so that the document does not show it. */
export type Aliases = {
  /** the value that an alias stands for; null if there is none */
  read(text: string): string | null
  /** the most similar value, for a suggestion */
  near(text: string): string | null
}
const ALIASES = Symbol('aliases')

export const withAliases = <S extends TSchema>(schema: S, aliases: Aliases): S => ({
  ...schema,
  [ALIASES]: aliases,
})

/** The aliases of a schema, or of the branch of a union that has one. */
export const aliasesOf = (schema: TSchema): Aliases | undefined =>
  (schema as { [ALIASES]?: Aliases })[ALIASES] ??
  (schema.anyOf as TSchema[] | undefined)?.map(aliasesOf).find((one) => one !== undefined)

/** A date and time in UTC, ISO 8601 with `Z`. */
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

/** The query parameters of a paged list; `listOf` is its response. */
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
