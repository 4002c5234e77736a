// Rows in a JSON file: times are text there, and a user may have edited the file.

import { Kind, type TObject, type TSchema, Type } from '@sinclair/typebox'
import { TransformDecodeCheckError, Value } from '@sinclair/typebox/value'

/** No database accepts the year 0. */
const momentInFile = () =>
  Type.Transform(Type.String({ pattern: '^(?!0000)\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$' }))
    .Decode((text) => {
      const moment = new Date(text)
      if (Number.isNaN(moment.getTime())) throw new Error('there is no such moment')
      return moment
    })
    .Encode((moment) => moment.toISOString())

const inFile = ({ properties, ...schema }: TObject): TObject => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, withMoments(property)]),
  ),
})

function withMoments(schema: TSchema): TSchema {
  if (schema[Kind] === 'Date') return momentInFile()
  return schema.anyOf ? Type.Union(schema.anyOf.map(withMoments)) : schema
}

/** Drops unknown keys. Throws a SyntaxError if a row is wrong, with its position but never its content. */
export function readRows(schema: TObject, written: unknown): unknown[] {
  const rows = Type.Array(inFile(schema))
  try {
    return Value.Decode(rows, Value.Clean(rows, written)) as unknown[]
  } catch (error) {
    const cause = error instanceof TransformDecodeCheckError ? error.error : null
    throw new SyntaxError(cause === null ? String(error) : `${cause.path || 'the list'}: ${cause.message}`)
  }
}
