// Describes an operation in the OpenAPI document: parameters, body and responses.

import type { TObject, TSchema } from '@sinclair/typebox'
import type { Contract, FormBody, JsonBody, ResponseContract, TextBody } from '../contract/route.ts'
import { type Hoist, type Json, type JsonObject, mapValues } from '../contract/schema-hoister.ts'

/** @param problems the error responses by status */
export function describeOperation(contract: Contract, problems: JsonObject, hoist: Hoist): JsonObject {
  const { operationId, summary, description, tag, body } = contract
  const parameters = [
    ...parametersIn('path', contract.params, hoist),
    ...parametersIn('query', contract.query, hoist),
    ...headersOf(contract),
  ]
  return {
    operationId,
    summary,
    description,
    tags: [tag],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: describeBody(body, hoist) }),
    responses: describeResponses(contract, problems, hoist),
  }
}

function parametersIn(place: 'path' | 'query', schema: TObject | undefined, hoist: Hoist): JsonObject[] {
  return Object.entries(schema?.properties ?? {}).map(([name, part]: [string, TSchema]) => {
    const { type, description, examples, ...keywords } = part
    return {
      ...(description !== undefined && { description }),
      ...(examples !== undefined && { examples: examples as Json }),
      schema: hoist({ type, ...keywords }),
      in: place,
      name,
      required: schema?.required?.includes(name) ?? false,
    }
  })
}

const headersOf = ({ headers = {} }: Contract): JsonObject[] =>
  Object.entries(headers).map(([name, description]) => ({
    name,
    in: 'header',
    description,
    required: false,
    schema: { type: 'string' },
  }))

function describeBody(body: JsonBody | FormBody | TextBody, hoist: Hoist): JsonObject {
  if (body.kind === 'text') return { required: true, content: mapValues(body.forms, describeText) }
  if (body.kind === 'json') {
    const json = { 'application/json': { schema: hoist(body.schema), example: body.example as Json } }
    const content = { ...json, ...(body.form && describeForm(body.form, hoist)) }
    return { required: body.optional !== true, content }
  }
  return { required: true, content: { ...describeForm(body, hoist), ...(body.raw && describeRaw(body.raw)) } }
}

const describeText = ({ description, example }: JsonObject): JsonObject => ({
  schema: { type: 'string', description: description! },
  example: example!,
})

const describeRaw = ({ mediaTypes, description }: NonNullable<FormBody['raw']>): JsonObject =>
  Object.fromEntries(
    mediaTypes.map((type) => [type, { schema: { type: 'string', format: 'binary', description } }]),
  )

function describeForm(body: Pick<FormBody, 'fields' | 'file'>, hoist: Hoist): JsonObject {
  const fields = hoist(body.fields)
  const schema = {
    ...fields,
    properties: {
      // `format` makes documentation pages show a file picker; OpenAPI 3.1 itself uses contentMediaType.
      file: {
        type: 'string',
        format: 'binary',
        contentMediaType: 'application/octet-stream',
        description: body.file.description,
      },
      ...mapValues(fields.properties as JsonObject, mayBeBlank),
    },
    required: ['file', ...((fields.required as string[] | undefined) ?? [])],
  }
  return { 'multipart/form-data': { schema } }
}

/**
 * An empty form field counts as absent (contract/form.ts), so the document allows it. As the example, it keeps the
 * documentation page from filling in the word "string" or an invented id.
 */
function mayBeBlank(field: JsonObject): JsonObject {
  if (field.type !== 'string' || 'default' in field || 'enum' in field) return field
  const { minLength: _, format: __, pattern, ...rest } = field
  return { ...rest, ...(pattern !== undefined && { pattern: `^$|${pattern}` }), examples: [''] }
}

function describeResponses(
  { operationId, responses }: Contract,
  problems: JsonObject,
  hoist: Hoist,
): JsonObject {
  const described = Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [status, describeResponse(response, hoist)]),
  )
  const twice = Object.keys(problems).find((status) => status in described)
  if (twice !== undefined) throw new Error(`${operationId} declares the status ${twice} twice`)
  return { ...described, ...problems }
}

function describeResponse({ description, content, headers }: ResponseContract, hoist: Hoist): JsonObject {
  const media = Object.entries(content ?? {}).map(([type, { schema, example }]) => [
    type,
    {
      schema: schema ? hoist(schema) : { type: 'string', contentMediaType: type },
      ...(example !== undefined && { example: example as Json }),
    },
  ])
  const described = Object.entries(headers ?? {}).map(([name, text]) => [
    name,
    { description: text, schema: { type: 'string' } },
  ])
  return {
    description,
    ...(described.length > 0 && { headers: Object.fromEntries(described) }),
    ...(media.length > 0 && { content: Object.fromEntries(media) }),
  }
}
