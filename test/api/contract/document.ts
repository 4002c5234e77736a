// Reads the OpenAPI document of a running server. Imports nothing from src, so that the contract test depends only on the
// document.

import type { ValidateFunction } from 'ajv'
import Ajv2020 from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

export type Schema = {
  $ref?: string
  type?: string
  readOnly?: boolean
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minProperties?: number
  required?: string[]
  properties?: Record<string, Schema>
  additionalProperties?: boolean
  items?: Schema
  minItems?: number
  maxItems?: number
}
type Answer = { description: string; content?: Record<string, { schema?: Schema }> }
type Parameter = { name: string; in: 'path' | 'query' | 'header'; required: boolean; schema: Schema }

export type Body = { mediaType: string; schema: Schema; required: boolean }

export type Operation = {
  id: string
  method: string
  path: string
  parameters: Parameter[]
  /** by media type, the usual one first; empty if the operation has no body */
  bodies: Body[]
  answers: Record<string, Answer>
}

/** Sockets for other programs' clients accept unknown query parameters, which OpenAPI cannot express. */
const OPEN_QUERIES = ['transcribeOpenAiRealtime']

/** Whether the operation accepts and ignores unknown fields; for forms, the schema says so. */
export const ignoresUnknown = ({ id, bodies }: Operation): boolean =>
  OPEN_QUERIES.includes(id) || bodies.some(({ schema }) => schema.additionalProperties === true)

type RawOperation = {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> }
  responses: Record<string, Answer & { $ref?: string }>
}
type RawDocument = {
  paths: Record<string, Record<string, RawOperation>>
  components: { schemas: Record<string, Schema>; responses: Record<string, Answer> }
}

export type ApiDocument = {
  operations: Operation[]
  /** the target of a reference; other schemas are returned as they are */
  resolve(schema: Schema): Schema
  /** a validator that shares no code with the server's own */
  validator(schema: Schema): ValidateFunction
}

const ROOT = 'https://contract.test/openapi.json'

export async function readDocument(url: string): Promise<ApiDocument> {
  const raw = (await (await fetch(`${url}/docs/json`)).json()) as RawDocument
  const ajv = new Ajv2020({ allErrors: true, strict: false })
  addFormats.default(ajv)
  ajv.addSchema({ $id: ROOT, components: raw.components })
  const validators = new Map<Schema, ValidateFunction>()
  return {
    operations: Object.entries(raw.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) =>
        operationOf(method, path, operation, raw.components.responses),
      ),
    ),
    resolve: (schema) => (schema.$ref ? raw.components.schemas[schema.$ref.split('/').pop()!]! : schema),
    validator(schema) {
      const known = validators.get(schema)
      if (known) return known
      const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', `"${ROOT}#/`))
      const made = ajv.compile(absolute)
      validators.set(schema, made)
      return made
    },
  }
}

function operationOf(
  method: string,
  path: string,
  raw: RawOperation,
  shared: Record<string, Answer>,
): Operation {
  return {
    id: raw.operationId,
    method: method.toUpperCase(),
    path,
    parameters: raw.parameters ?? [],
    bodies: Object.entries(raw.requestBody?.content ?? {}).map(([mediaType, { schema }]) => ({
      ...{ mediaType, schema, required: raw.requestBody?.required === true },
    })),
    answers: Object.fromEntries(
      Object.entries(raw.responses).map(([status, answer]) => [
        status,
        answer.$ref ? shared[answer.$ref.split('/').pop()!]! : answer,
      ]),
    ),
  }
}

export const parametersIn = (operation: Operation, place: Parameter['in']): Parameter[] =>
  operation.parameters.filter((parameter) => parameter.in === place)
