// Builds the OpenAPI document from the contracts of the routes: operations, problem responses, components.

import { type ElysiaSwaggerConfig, swagger } from '@elysiajs/swagger'
import type { TObject, TSchema } from '@sinclair/typebox'
import { errorShapeAt } from '../compat/error-shape.ts'
import type { Webhook } from '../kernel/connection.ts'
import {
  PROBLEM_MEDIA_TYPE,
  PROBLEMS,
  type ProblemBody,
  type ProblemCode,
  ProblemSchema,
  problemBody,
} from '../kernel/problem.ts'
import type { Contract, FormBody, JsonBody, ResponseContract, TextBody } from '../kernel/route.ts'
import { createSchemaHoister, type Hoist, type Json, type JsonObject, mapValues } from '../kernel/schema.ts'

/** @param problems the error responses by status */
function describeOperation(contract: Contract, problems: JsonObject, hoist: Hoist): JsonObject {
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
 * An empty form field counts as absent (kernel/form.ts), so the document allows it. As the example, it keeps the
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

/** Any route may return these codes. */
const GUARD_CODES = [
  ...['peer_not_local', 'peer_of_another_user'],
  ...['host_not_allowed', 'origin_not_allowed', 'cross_site'],
] as const

/** For routes that are not open: the operating system or the database may be unavailable for a while. */
const MACHINE_CODES = ['database_damaged', 'storage_unavailable', 'no_handles_left'] as const

/** These routes use the database, which may be on another server. */
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

const takesForm = ({ body }: Contract): boolean =>
  body?.kind === 'form' || (body?.kind === 'json' && body.form !== undefined)

function problemsByStatus(contract: Contract, token: boolean): Map<string, ProblemCode[]> {
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
    // Every route rejects unknown query parameters.
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

/** The only response that is not ours: Bun sends it before our code gets the request. */
const HEAD_TOO_LONG = {
  status: '431',
  response: {
    description:
      'The request line and the headers are larger than 16 KiB together; send long fields in the body. The response has no body, because the request is not read, and the connection is closed.',
  },
}

/** One shared response for each combination of codes under a status. */
function createProblemResponses(hoist: Hoist, { token }: { token: boolean }) {
  const shared: JsonObject = {}
  const ours = hoist(ProblemSchema)

  function share(status: string, codes: ProblemCode[], path: string): string {
    const shape = errorShapeAt(path)
    const name = `${shape === null ? '' : `${shape.name}.`}${status}.${codes.toSorted().join('.')}`
    const example = exampleOf(codes)
    shared[name] ??= {
      description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}`).join('; '),
      content:
        shape === null
          ? { [PROBLEM_MEDIA_TYPE]: { schema: ours, example } }
          : { 'application/json': { schema: hoist(shape.schema), example: shape.bodyOf(example) } },
    }
    return name
  }

  return {
    /** by status; each is a reference to a shared response */
    of(contract: Contract): JsonObject {
      const names = [...problemsByStatus(contract, token)].map(([status, codes]) => [
        status,
        share(status, codes, contract.path),
      ])
      return Object.fromEntries(
        [...names, [HEAD_TOO_LONG.status, HEAD_TOO_LONG.status]].map(([status, name]) => [
          status,
          { $ref: `#/components/responses/${name}` },
        ]),
      )
    },
    components: (): JsonObject => ({ ...shared, [HEAD_TOO_LONG.status]: HEAD_TOO_LONG.response }),
  }
}

function exampleOf([code]: ProblemCode[]): ProblemBody {
  if (!code) throw new Error('a problem response needs a code')
  const detail = `${PROBLEMS[code].title}.`
  if (code !== 'invalid_request') return problemBody({ code, detail })
  const errors = [{ in: 'query' as const, path: '/limit', message: 'must be at most 200' }]
  return problemBody({ code, detail: 'limit must be at most 200.', errors })
}

export type OpenApiDocument = JsonObject & {
  openapi: string
  info: JsonObject
  paths: Record<string, Record<string, JsonObject>>
  components: JsonObject
}

/** Every route has one of these tags; the document lists them in this order. */
const TAGS = {
  transcription: 'Transcribe audio without storing anything.',
  captures: 'Stored recordings with their transcripts.',
  dictionary: 'Words to recognise, to replace and to expand.',
  'writing styles': 'How texts are written, and for which applications.',
  commands: 'Change text by spoken or typed instructions.',
  models: 'Whisper models on this computer.',
  settings: 'Settings that the user can change while the server runs.',
  jobs: 'Waiting, active and finished work.',
  statistics: 'How much was dictated, when, and into which applications.',
  service: 'Health, events and documentation of the server.',
  compatibility:
    "For clients of other servers, which only need this server's address: OpenAI's audio API, also at Azure's addresses, and whisper.cpp's.",
} as const

const ABOUT = `Speech to text on this computer: nothing leaves it.

Errors are problem details (RFC 9457) with a stable \`code\`. Times are ISO 8601 in UTC; durations and positions
are seconds, unless their name ends in \`_ms\`. The server only accepts requests of programs on this computer and of its own pages.`

export type DocumentOptions = {
  version: string
  /** whether the server requires a token; if so, the document declares it */
  token: boolean
  /** requests that the server sends */
  webhooks?: readonly Webhook[]
}

/** The token, or a session of POST /session. */
const SECURITY_SCHEMES: JsonObject = { bearer: { type: 'http', scheme: 'bearer' } }

/** The path of the plugin, on an app that is not served. */
const SPEC_PATH = '/json'

/**
 * Throws if a contract is incomplete (no summary, an undeclared parameter, a duplicate id): a bug, which the first test
 * that requests the document finds.
 */
export async function describeApi(
  contracts: readonly Contract[],
  options: DocumentOptions,
): Promise<OpenApiDocument> {
  checkContracts(contracts)
  // The plugin's own description of routes (1.3.1, measured) declares 3.0.3 although TypeBox's schemas are 3.1, lists
  // every response as JSON, multipart and text, and supports no other media types, problems, headers or `$id`. We pass
  // it a complete document instead. Its page loads scripts from the network, and is not served.
  const documentation = documentOf(contracts, options) as unknown as NonNullable<
    ElysiaSwaggerConfig['documentation']
  >
  const served = await swagger({ documentation, specPath: SPEC_PATH }).handle(
    new Request(`http://localhost${SPEC_PATH}`),
  )
  return (await served.json()) as OpenApiDocument
}

function documentOf(
  contracts: readonly Contract[],
  { version, token, webhooks }: DocumentOptions,
): OpenApiDocument {
  const { hoist, components } = createSchemaHoister()
  const problems = createProblemResponses(hoist, { token })
  const paths: OpenApiDocument['paths'] = {}
  for (const contract of contracts) {
    paths[contract.path] ??= {}
    paths[contract.path]![contract.method.toLowerCase()] = {
      ...describeOperation(contract, problems.of(contract), hoist),
      ...(contract.open && token && { security: [] }),
    }
  }
  const described = webhooks?.map(({ name, describe }) => [name, describe(hoist)])
  const isUsed = (name: string) => contracts.some(({ tag }) => tag === name)
  return {
    openapi: '3.1.1',
    info: {
      title: 'Local Dictation',
      version,
      description: ABOUT,
      license: { name: 'MIT', url: 'https://spdx.org/licenses/MIT.html' },
    },
    // Relative, so that the page works under every name of this server.
    servers: [{ url: '/' }],
    security: token ? [{ bearer: [] }] : [],
    tags: Object.entries(TAGS)
      .filter(([name]) => isUsed(name))
      .map(([name, description]) => ({ name, description })),
    paths,
    ...(described && { webhooks: Object.fromEntries(described) }),
    components: {
      schemas: components(),
      responses: problems.components(),
      ...(token && { securitySchemes: SECURITY_SCHEMES }),
    },
  }
}

function checkContracts(contracts: readonly Contract[]): void {
  const ids = new Set<string>()
  for (const { method, path, operationId, summary, description, params } of contracts) {
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
}
