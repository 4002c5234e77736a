// Generates valid values from the document's schemas with fast-check.

import fc from '../../support/fast-check.ts'
import type { ApiDocument, Schema } from './document.ts'

/** Values with a meaning for this server, such as model names; a schema accepts any text. */
export type Meaningful = Record<string, fc.Arbitrary<unknown>>

const MAX_TEXT = 60

export function createGenerator(document: ApiDocument, meaningful: Meaningful) {
  const arbitraryOf = (given: Schema): fc.Arbitrary<unknown> => {
    const schema = document.resolve(given)
    if (schema.anyOf) return fc.oneof(...schema.anyOf.map(arbitraryOf))
    if (schema.const !== undefined) return fc.constant(schema.const)
    if (schema.enum) return fc.constantFrom(...schema.enum)
    switch (schema.type) {
      case 'string':
        return textOf(schema)
      case 'boolean':
        return fc.boolean()
      case 'null':
        return fc.constant(null)
      case 'integer':
        return fc.integer({ min: schema.minimum ?? -1e9, max: schema.maximum ?? 1e9 })
      case 'number':
        return hundredthsOf(schema)
      case 'array':
        return fc.array(arbitraryOf(schema.items ?? {}), {
          minLength: schema.minItems ?? 0,
          maxLength: Math.min(schema.maxItems ?? 3, 3),
        })
      case 'object':
        return recordOf(schema.properties ?? {}, schema.required ?? [])
      default:
        throw new Error(`cannot make values of ${JSON.stringify(schema)}`)
    }
  }

  /** Some of the optional keys and all required ones. */
  function recordOf(properties: Record<string, Schema>, required: string[]) {
    // Read-only fields must be sent back unchanged, which a schema cannot express.
    const model = Object.entries(properties)
      .filter(([, { readOnly }]) => readOnly !== true)
      .map(([name, schema]) => [name, meaningful[name] ?? arbitraryOf(schema)])
    return fc.record(Object.fromEntries(model), { requiredKeys: required as never[], noNullPrototype: true })
  }

  return { arbitraryOf, recordOf }
}

/** Numbers that keep their format when sent as text. */
const hundredthsOf = ({ minimum = -1e6, maximum = 1e6 }: Schema) =>
  fc.integer({ min: Math.ceil(minimum * 100), max: Math.floor(maximum * 100) }).map((count) => count / 100)

const MOMENT = fc
  .date({ noInvalidDate: true, min: new Date('0001-01-02'), max: new Date('9999-12-30') })
  .map((date) => date.toISOString())

function textOf(schema: Schema): fc.Arbitrary<string> {
  if (schema.format === 'uuid') return fc.uuid()
  if (schema.format === 'date-time') return MOMENT
  if (schema.format === 'date') return MOMENT.map((moment) => moment.slice(0, 10))
  if (schema.pattern) return fc.stringMatching(new RegExp(schema.pattern))
  const { minLength = 0, maxLength = MAX_TEXT } = schema
  return fc
    .string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, MAX_TEXT) })
    .filter((text) => text.isWellFormed() && !text.includes('\0'))
}
