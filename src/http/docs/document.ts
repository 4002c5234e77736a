// Builds the OpenAPI document from the contracts of the routes.

import { type ElysiaSwaggerConfig, swagger } from '@elysiajs/swagger'
import type { Contract } from '../contract/route.ts'
import { createSchemaHoister, type JsonObject } from '../contract/schema-hoister.ts'
import type { Webhook } from '../contract/webhook.ts'
import { describeOperation } from './operation.ts'
import { createProblemResponses } from './problem-responses.ts'

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
  statistics: 'How much was dictated, when, and into which applications.',
  jobs: 'Waiting, active and finished work.',
  settings: 'Settings that the user can change while the server runs.',
  dictionary: 'Words to recognise, to replace and to expand.',
  'writing styles': 'How texts are written, and for which applications.',
  commands: 'Change text by spoken or typed instructions.',
  models: 'Whisper models on this computer.',
  openai:
    "OpenAI's audio API, also at Azure's addresses: their clients only need this server's base address.",
  'whisper-cpp': "The API of whisper.cpp's server: its clients only need this server's address.",
  service: 'Health, events and documentation of the server.',
} as const

const ABOUT = `Speech to text on this computer: nothing leaves it.

Errors are problem details (RFC 9457) with a stable \`code\`. Times are ISO 8601 in UTC, durations end in
\`_ms\` or \`_seconds\`. The server only accepts requests of programs on this computer and of its own pages.`

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
