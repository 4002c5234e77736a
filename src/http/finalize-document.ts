// Makes a valid OpenAPI 3.1 document of what @elysiajs/swagger generates from our routes.
// The plugin (1.3.1, measured) says 3.0.3 though TypeBox's schemas are 3.1; offers every response as JSON,
// multipart and text; drops `additionalProperties`, `description` and examples of responses and copies
// keywords of their schemas into them; knows neither other media types, problems, headers nor `$id`.
// So its paths, parameters and texts are kept, and bodies and responses are put back from the declarations.

import { type ErrorShape, errorShapeAt } from './error-shape.ts'
import {
  PROBLEM_MEDIA_TYPE,
  PROBLEMS,
  type ProblemBody,
  type ProblemCode,
  ProblemSchema,
  problemBody,
} from './problem.ts'
import type { Contract, FormBody, JsonBody, ResponseContract, TextBody } from './route.ts'
import { createSchemaHoister, type Json, type JsonObject, mapValues } from './schema-hoister.ts'
import { SESSION_COOKIE } from './sessions.ts'
import type { Webhook } from './webhook-contract.ts'

export type OpenApiDocument = JsonObject & {
  openapi: string
  info: JsonObject
  paths: Record<string, Record<string, JsonObject>>
  components: JsonObject
}

type Options = { token: boolean; webhooks?: readonly Webhook[] }

/** Codes that any route may answer with, by what it takes. */
const GUARD_CODES = [
  ...['peer_not_local', 'peer_of_another_user'],
  ...['host_not_allowed', 'origin_not_allowed', 'cross_site'],
] as const
/** Of what is not open: the machine or the database may refuse it for a while. */
const MACHINE_CODES = ['database_damaged', 'storage_unavailable', 'no_handles_left'] as const
/** What these routes tell and change stands in the database, which may be another server. */
const DATABASE_TAGS = new Set(['captures', 'jobs', 'statistics'])
const JSON_CODES = ['malformed_json', 'body_interrupted', 'body_too_large', 'unsupported_media_type'] as const
const TEXT_CODES = [
  'body_interrupted',
  'body_too_large',
  'unsupported_media_type',
  'invalid_request',
] as const
const FORM_CODES = [
  'malformed_multipart',
  'body_interrupted',
  'empty_file',
  'file_too_large',
  'body_too_large',
  'unsupported_media_type',
  'disk_full',
] as const

/** The one answer that is not ours: Bun gives it before anybody here sees the request. */
const HEAD_TOO_LONG = {
  status: '431',
  response: {
    description:
      'The request line and the headers have more than 16 KiB together: long fields belong in the body. Without a body and in no shape of ours, since the request is not read; the connection is closed.',
  },
}

export function finalizeDocument(
  generated: OpenApiDocument,
  contracts: readonly Contract[],
  options: Options,
): OpenApiDocument {
  const hoister = createSchemaHoister()
  const problems = createProblemResponses(hoister.hoist)
  const paths: OpenApiDocument['paths'] = {}
  const ids = new Set<string>()
  for (const contract of contracts) {
    checkContract(contract, ids)
    const operation = generated.paths[contract.path]?.[contract.method.toLowerCase()]
    if (!operation)
      throw new Error(`${contract.method} ${contract.path} is missing in the generated document`)
    const parameters = describeParameters(operation, contract, hoister.hoist)
    const { responses: _lost, parameters: _replaced, ...described } = operation
    paths[contract.path] = {
      ...paths[contract.path],
      [contract.method.toLowerCase()]: {
        ...described,
        ...(contract.open && options.token && { security: [] }),
        ...(parameters.length > 0 && { parameters }),
        ...(contract.body && { requestBody: describeBody(contract.body, hoister.hoist) }),
        responses: describeResponses(contract, problems, options, hoister.hoist),
      },
    }
  }
  const webhooks = options.webhooks?.map(({ name, describe }) => [name, describe(hoister.hoist)])
  return {
    openapi: '3.1.1',
    info: generated.info,
    // Relative, so that the page works under every name this server answers to.
    servers: [{ url: '/' }],
    security: options.token ? [{ bearer: [] }, { session: [] }] : [],
    tags: usedTags(generated, contracts),
    paths,
    ...(webhooks && { webhooks: Object.fromEntries(webhooks) }),
    components: {
      schemas: hoister.components(),
      responses: { ...problems.components(), [HEAD_TOO_LONG.status]: HEAD_TOO_LONG.response },
      ...(options.token && { securitySchemes: SECURITY_SCHEMES }),
    },
  }
}

/** The token, or the cookie that POST /session gives for it. */
const SECURITY_SCHEMES: JsonObject = {
  bearer: { type: 'http', scheme: 'bearer' },
  session: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE },
}

type Hoist = (schema: unknown) => JsonObject

function checkContract(
  { method, path, operationId, summary, description, params }: Contract,
  ids: Set<string>,
) {
  const name = `${method} ${path}`
  if (!operationId || !summary || !description)
    throw new Error(`${name} lacks operationId, summary or description`)
  if (ids.has(operationId)) throw new Error(`${name}: the operationId ${operationId} is taken`)
  ids.add(operationId)
  for (const [, parameter] of path.matchAll(/\{(\w+)\}/g)) {
    if (!parameter || !params?.properties[parameter])
      throw new Error(`${name} does not declare {${parameter}}`)
  }
}

const usedTags = (generated: OpenApiDocument, contracts: readonly Contract[]): Json[] =>
  (generated.tags as { name: string }[]).filter(({ name }) => contracts.some(({ tag }) => tag === name))

function describeParameters(operation: JsonObject, contract: Contract, hoist: Hoist): JsonObject[] {
  const generated = (operation.parameters ?? []) as JsonObject[]
  const headers = Object.entries(contract.headers ?? {}).map(([name, description]) => ({
    name,
    in: 'header',
    description,
    required: false,
    schema: { type: 'string' },
  }))
  return [...generated.map((parameter) => ({ ...parameter, schema: hoist(parameter.schema) })), ...headers]
}

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
      // `format` is what makes documentation pages show a file picker; 3.1 itself has contentMediaType.
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
 * An empty field of a form counts as not given (form.ts), so the document allows it; suggested as well, it
 * keeps the documentation page from filling in the word "string" or a made-up id.
 */
function mayBeBlank(field: JsonObject): JsonObject {
  if (field.type !== 'string' || 'default' in field || 'enum' in field) return field
  const { minLength: _, format: __, pattern, ...rest } = field
  return { ...rest, ...(pattern !== undefined && { pattern: `^$|${pattern}` }), examples: [''] }
}

function describeResponses(
  contract: Contract,
  problems: ReturnType<typeof createProblemResponses>,
  options: Options,
  hoist: Hoist,
): JsonObject {
  const responses: JsonObject = {}
  for (const [status, response] of Object.entries(contract.responses)) {
    responses[status] = describeResponse(response, hoist)
  }
  for (const [status, codes] of problemsByStatus(contract, options)) {
    if (responses[status]) throw new Error(`${contract.operationId} answers ${status} in two ways`)
    responses[status] = problems.reference(status, codes, errorShapeAt(contract.path))
  }
  responses[HEAD_TOO_LONG.status] = { $ref: `#/components/responses/${HEAD_TOO_LONG.status}` }
  return responses
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

const takesForm = ({ body }: Contract): boolean =>
  body?.kind === 'form' || (body?.kind === 'json' && body.form !== undefined)

function problemsByStatus(contract: Contract, { token }: Options): Map<string, ProblemCode[]> {
  const codes = new Set<ProblemCode>([
    ...(token && !contract.open ? (['unauthorized'] as const) : []),
    ...GUARD_CODES,
    ...(contract.open ? [] : MACHINE_CODES),
    ...(contract.body?.kind === 'json' ? JSON_CODES : []),
    ...(contract.body?.kind === 'text' ? TEXT_CODES : []),
    ...(takesForm(contract) ? FORM_CODES : []),
    ...(contract.body?.kind === 'form' && contract.body.file.audio !== false
      ? ['unsupported_audio' as const]
      : []),
    ...(contract.problems ?? []),
    // Every route refuses query parameters it does not know.
    'invalid_request',
    'internal_error',
    ...(DATABASE_TAGS.has(contract.tag) ? (['database_unavailable'] as const) : []),
  ])
  const byStatus = new Map<string, ProblemCode[]>()
  for (const code of codes) {
    const status = String(PROBLEMS[code].status)
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return byStatus
}

/** One shared response for each combination of codes under a status. */
function createProblemResponses(hoist: Hoist) {
  const shared: JsonObject = {}
  const ours = hoist(ProblemSchema)
  return {
    reference(status: string, codes: ProblemCode[], shape: ErrorShape | null): JsonObject {
      const name = `${shape === null ? '' : `${shape.name}.`}${status}.${codes.toSorted().join('.')}`
      const example = exampleOf(codes)
      shared[name] ??= {
        description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}`).join('; '),
        content:
          shape === null
            ? { [PROBLEM_MEDIA_TYPE]: { schema: ours, example } }
            : { 'application/json': { schema: hoist(shape.schema), example: shape.bodyOf(example) } },
      }
      return { $ref: `#/components/responses/${name}` }
    },
    components: () => shared,
  }
}

function exampleOf([code]: ProblemCode[]): ProblemBody {
  if (!code) throw new Error('a problem response needs a code')
  const detail = `${PROBLEMS[code].title}.`
  if (code !== 'invalid_request') return problemBody({ code, detail })
  const errors = [{ in: 'query' as const, path: '/limit', message: 'must be at most 200' }]
  return problemBody({ code, detail: 'limit must be at most 200.', errors })
}
