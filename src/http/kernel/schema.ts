// Builders for wire schemas, names of their fields, and their components in the document. Builders that entities also
// use are in lib/schema.ts.

import { type ObjectOptions, type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { closestWord } from '../../lib/did-you-mean.ts'

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

export type Json = string | number | boolean | null | Json[] | JsonObject
export type JsonObject = { [key: string]: Json }

/** Returns the schema for the document; shared parts are moved to the components. */
export type Hoist = (schema: unknown) => JsonObject

export function createSchemaHoister() {
  const components: JsonObject = {}

  function convert(schema: JsonObject, where: string): JsonObject {
    const { $id, ...rest } = schema
    const converted = convertParts(asEnum(rest), where)
    checkClosed(converted, where)
    if (typeof $id !== 'string') return converted
    const known = components[$id]
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(converted)) {
      throw new Error(`two different schemas are called ${$id}`)
    }
    components[$id] = converted
    return { $ref: `#/components/schemas/${$id}` }
  }

  function convertParts(schema: JsonObject, where: string): JsonObject {
    const parts: JsonObject = { ...schema }
    for (const key of ['properties', 'patternProperties']) {
      const named = parts[key]
      if (!isObject(named)) continue
      parts[key] = mapValues(named, (part, name) => convert(part, `${where}.${name}`))
    }
    for (const key of ['anyOf', 'allOf', 'oneOf']) {
      const list = parts[key]
      if (Array.isArray(list)) parts[key] = list.map((part) => convert(part as JsonObject, where))
    }
    for (const key of ['items', 'additionalProperties']) {
      const part = parts[key]
      if (isObject(part)) parts[key] = convert(part, where)
    }
    return parts
  }

  return {
    hoist: (schema: unknown): JsonObject =>
      // A JSON round trip drops the symbols in which TypeBox stores its types.
      convert(JSON.parse(JSON.stringify(schema)) as JsonObject, 'schema'),
    components: (): JsonObject => Object.fromEntries(Object.entries(components).sort(byName)),
  }
}

const byName = ([a]: [string, Json], [b]: [string, Json]): number => (a < b ? -1 : 1)

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const mapValues = (object: JsonObject, map: (value: JsonObject, name: string) => Json): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value as JsonObject, name)]))

/** A union of words as an enum, which every OpenAPI reader understands. */
function asEnum(schema: JsonObject): JsonObject {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || !anyOf.every((part) => isObject(part) && typeof part.const === 'string')) {
    return schema
  }
  return { ...rest, type: 'string', enum: anyOf.map((part) => (part as JsonObject).const as string) }
}

/** No schema may be empty, and an object must declare whether it allows additional properties. */
function checkClosed(schema: JsonObject, where: string): void {
  const isOpen =
    schema.type === 'object' && !('additionalProperties' in schema || 'patternProperties' in schema)
  if (isOpen || Object.keys(schema).length === 0) throw new Error(`${where} would accept anything`)
}

/** The property that a name refers to; the name itself if there is none. */
export function propertyNamed({ properties }: TObject, name: string): string {
  if (Object.hasOwn(properties, name)) return name
  const base = name.replace(/\[\d{0,5}\]$/, '')
  const isList = (one: string) => Object.hasOwn(properties, one) && properties[one]!.type === 'array'
  return [base, `${base}[]`].find(isList) ?? name
}

/** The names whose commas separate items. `keywords[]=Smith, John` is one item, and so is each of several values. */
export function namesWithCommas(names: readonly string[]): Set<string> {
  const given = Map.groupBy(names, (name) => name)
  return new Set([...given].flatMap(([name, all]) => (all.length > 1 || name.endsWith(']') ? [] : [name])))
}

/** The items of `word,segment` and of `["word","segment"]`; a text without items is itself an item, which the schema rejects. */
export function itemsIn(text: string, { commas }: { commas: boolean }): string[] {
  const items = (jsonItemsIn(text) ?? (commas ? text.split(',') : [text]))
    .map((item) => item.trim())
    .filter((item) => item !== '')
  return items.length === 0 ? [text] : items
}

function jsonItemsIn(text: string): string[] | null {
  if (!text.trimStart().startsWith('[')) return null
  try {
    const items: unknown = JSON.parse(text)
    return Array.isArray(items) && items.every((item) => typeof item === 'string') ? items : null
  } catch {
    return null
  }
}

/** Names that other programs use, mapped to ours. */
const FIELD_ALIASES = new Map<string, readonly string[]>(
  Object.entries({
    search: ['q'],
    query: ['q'],
    order: ['sort'],
    text: ['q', 'command', 'transcript_refined'],
    from: ['since', 'word'],
    after: ['since'],
    start: ['since'],
    to: ['until', 'replacement'],
    before: ['until'],
    end: ['until'],
    format: ['response_format'],
    output_format: ['response_format', 'format'],
    model: ['stt_model', 'model_name'],
    stt_model: ['model'],
    name: ['model_name', 'title'],
    app: ['app_name'],
    style: ['writing_style_id'],
    count: ['limit'],
    per_page: ['limit'],
    page_size: ['limit'],
    size: ['limit'],
    find: ['word'],
    original: ['word'],
    phrase: ['word'],
    with: ['replacement'],
    replace: ['replacement'],
    replace_with: ['replacement'],
    page: ['offset'],
    timestamps: ['word_timestamps', 'timestamp_granularities[]'],
    translate: ['task'],
    initial_prompt: ['prompt'],
    hotwords: ['keywords'],
    lang: ['language'],
  }),
)

export function nearestField(name: string, known: readonly string[]): string | null {
  const alias = FIELD_ALIASES.get(name.toLowerCase())?.find((one) => known.includes(one))
  return alias ?? closestWord(name, known)
}
