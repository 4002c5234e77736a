// Derives an entity's JSON file format and wire format, and the conversions between them, from its one schema.
// In code, names are camelCase and timestamps are Dates (`Type.Date()`); in JSON, timestamps are strings.

import {
  Kind,
  type Static,
  type TObject,
  type TProperties,
  type TSchema,
  type TUnsafe,
  Type,
} from '@sinclair/typebox'

/** A value as JSON.parse returns it. */
export type InJson<T> = T extends Date
  ? string
  : T extends readonly (infer Item)[]
    ? InJson<Item>[]
    : T extends object
      ? { [K in keyof T]: InJson<T[K]> }
      : T

/** The same value with wire names. */
export type OnWire<T> = T extends Date
  ? string
  : T extends readonly (infer Item)[]
    ? OnWire<Item>[]
    : T extends object
      ? { [K in keyof T as WireName<K & string>]: OnWire<T[K]> }
      : T

type WireName<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${WireName<Rest>}`
  : Name

/** `audioBytes` in code is `audio_bytes` on the wire. */
export const wireName = (name: string): string =>
  name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`)

/** A timestamp in a file, as JSON.stringify writes a Date. */
export const jsonMoment = () =>
  Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' })

type JsonProperties<P extends TProperties> = { [K in keyof P]: TUnsafe<InJson<Static<P[K]>>> }

/**
 * The properties in the file format. Limits and patterns are dropped: they are promises to clients, and a stored file
 * that breaks them must still be readable.
 */
export const jsonProperties = <P extends TProperties>(properties: P) =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, inJson(schema)]),
  ) as JsonProperties<P>

function inJson(schema: TSchema): TSchema {
  if (isMoment(schema)) return jsonMoment()
  if (schema.anyOf) return Type.Union(schema.anyOf.map(inJson))
  if (schema.type === 'array') return Type.Array(inJson(schema.items))
  if (schema.type !== 'object') return { ...schema, ...NO_LIMITS }
  return { ...Type.Object({}), required: schema.required, properties: jsonProperties(schema.properties) }
}

const NO_LIMITS = { minimum: undefined, maximum: undefined, pattern: undefined, format: undefined }

/** Converts a stored entity back: turns its own timestamps into Dates, but not those of nested objects. */
export function reviver<P extends TProperties>(
  properties: P,
): (stored: InJson<Static<TObject<P>>>) => Static<TObject<P>> {
  const moments = Object.keys(properties).filter((name) => mayBeMoment(properties[name]!))
  return (stored) => {
    const revived = { ...(stored as Record<string, unknown>) }
    for (const name of moments) {
      const text = revived[name]
      if (typeof text === 'string') revived[name] = new Date(text)
    }
    return revived as Static<TObject<P>>
  }
}

type WireProperties<P extends TProperties> = {
  [K in keyof P as WireName<K & string>]: TUnsafe<OnWire<Static<P[K]>>>
}

/** The properties in the wire format. Objects reject unknown keys. */
export const wireProperties = <P extends TProperties>(properties: P) =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [wireName(name), onWire(schema)]),
  ) as WireProperties<P>

function onWire(schema: TSchema): TSchema {
  if (isMoment(schema)) return Type.String({ format: 'date-time', ...described(schema) })
  if (schema.anyOf) return { ...schema, anyOf: schema.anyOf.map(onWire) }
  if (schema.type === 'array') return { ...schema, items: onWire(schema.items) }
  if (schema.type !== 'object') return schema
  const { $id } = schema
  return Type.Object(wireProperties(schema.properties), {
    ...($id !== undefined && { $id }),
    ...described(schema),
    additionalProperties: false,
  })
}

const described = ({ description }: TSchema) => (description === undefined ? {} : { description })

/** Converts an entity to the wire format: picks these properties, in their order. */
export function wireMapper<P extends TProperties>(
  properties: P,
): (entity: Static<TObject<P>>) => OnWire<Static<TObject<P>>> {
  const names = Object.keys(properties).map((name) => [name, wireName(name)] as const)
  return (entity) =>
    Object.fromEntries(
      names.map(([name, onWire]) => [
        onWire,
        wireValue((entity as Record<string, unknown>)[name], properties[name]),
      ]),
    ) as OnWire<Static<TObject<P>>>
}

/** Reads those of these properties that the client sent; omits the others. None of them may be a timestamp. */
export function wireReader<P extends TProperties>(
  properties: P,
): (sent: FromWire<P>) => Partial<Static<TObject<P>>> {
  const names = Object.keys(properties).map((name) => [name, wireName(name)] as const)
  return (sent) => {
    const values = sent as Record<string, unknown>
    const given = names.filter(([, onWire]) => values[onWire] !== undefined)
    return Object.fromEntries(given.map(([name, onWire]) => [name, values[onWire]])) as Partial<
      Static<TObject<P>>
    >
  }
}

type FromWire<P extends TProperties> = {
  readonly [K in keyof P as WireName<K & string>]?: OnWire<Static<P[K]>> | undefined
}

/** Orders an object's properties as its schema does, because a database returns them in its own order. */
function wireValue(value: unknown, schema?: TSchema): unknown {
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map((part) => wireValue(part, schema?.items))
  if (typeof value !== 'object' || value === null) return value
  const properties: TProperties = (schema?.anyOf?.find(isObject) ?? schema)?.properties ?? {}
  const entity = value as Record<string, unknown>
  const names = new Set([...Object.keys(properties).filter((name) => name in entity), ...Object.keys(entity)])
  return Object.fromEntries(
    [...names].map((name) => [wireName(name), wireValue(entity[name], properties[name])]),
  )
}

const isObject = (schema: TSchema): boolean => schema.type === 'object'

const isMoment = (schema: TSchema): boolean => schema[Kind] === 'Date'

const mayBeMoment = (schema: TSchema): boolean =>
  isMoment(schema) || (schema.anyOf as TSchema[] | undefined)?.some(isMoment) === true
