// The OpenAPI document of this server, made from what the routes declare about themselves.
// @elysiajs/swagger serves it; what one operation says is operation.ts.

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

/** Every route belongs to one; the document keeps this order. */
const TAGS = {
  transcription: 'Audio in, text out, nothing kept.',
  captures: 'Recordings that are kept, with what was understood of them.',
  statistics: 'How much was spoken, when and into what.',
  jobs: 'Work that is waiting, under way or done.',
  settings: 'What a person changes while the server runs.',
  dictionary: 'Words to recognise, to replace and to expand.',
  'writing styles': 'How texts are written, and for which applications.',
  commands: 'Text changed by instructions, spoken or typed.',
  models: 'Whisper models on this computer.',
  openai:
    "OpenAI's audio API, at Azure's addresses as well: its clients work with only the base address changed.",
  'whisper-cpp': "The interface of whisper.cpp's server: its clients work with only the address changed.",
  service: 'How the server is doing, and this documentation.',
} as const

const ABOUT = `Speech to text on this computer: nothing leaves it.

Errors are problem details (RFC 9457) with a stable \`code\`. Times are ISO 8601 in UTC, durations end in
\`_ms\` or \`_seconds\`. Requests are answered only to programs on this computer and to this server's own pages.`

export type DocumentOptions = {
  version: string
  /** whether a bearer token is demanded, which then is part of the document */
  token: boolean
  /** requests that the server makes */
  webhooks?: readonly Webhook[]
}

/** The token, or the session that POST /session gives for it. */
const SECURITY_SCHEMES: JsonObject = { bearer: { type: 'http', scheme: 'bearer' } }

/** Where the plugin serves, on no app that anybody reaches. */
const SPEC_PATH = '/json'

/**
 * Throws when a route says too little about itself (no summary, an undeclared parameter, a duplicate id):
 * that is a mistake in the code, found by the first test that asks for the document.
 */
export async function describeApi(
  contracts: readonly Contract[],
  options: DocumentOptions,
): Promise<OpenApiDocument> {
  checkContracts(contracts)
  // The plugin's own description of routes (1.3.1, measured) says 3.0.3 though TypeBox's schemas are 3.1, offers every
  // response as JSON, multipart and text, and knows neither other media types, problems, headers nor `$id`. So it is
  // given a whole document; and its page, which loads scripts from the network, is not reached.
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
    // Relative, so that the page works under every name this server answers to.
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
