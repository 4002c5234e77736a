// Converts TypeBox schemas to OpenAPI: a schema with an `$id` becomes a shared component, a union of words becomes an
// `enum`, and a schema that would accept anything is an error.

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
