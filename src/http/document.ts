// The OpenAPI document of this server, made from what the routes declare about themselves.
// Generation is @elysiajs/swagger's; what it cannot say is put back by finalize-document.ts.

import { swagger } from '@elysiajs/swagger'
import { Elysia } from 'elysia'
import { finalizeDocument, type OpenApiDocument } from './finalize-document.ts'
import { type Contract, elysiaPath } from './route.ts'
import type { Webhook } from './webhook-contract.ts'

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

/** Of the plugin's own two routes, on an app that nobody listens to; no route of ours may be called so. */
const PLUGIN_PATH = '/swagger'
const SPEC_PATH = `${PLUGIN_PATH}/json`

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

/**
 * Throws when a route says too little about itself (no summary, an undeclared parameter, a duplicate id):
 * that is a mistake in the code, found by the first test that asks for the document.
 */
export async function describeApi(
  contracts: readonly Contract[],
  options: DocumentOptions,
): Promise<OpenApiDocument> {
  // An app of its own that is never listened to: the plugin serves a page that loads scripts from the
  // network, and its description needs schemas at the routes, where Elysia would check them a second time.
  const described = new Elysia().use(
    swagger({
      specPath: SPEC_PATH,
      path: PLUGIN_PATH,
      excludeStaticFile: false,
      documentation: {
        info: {
          title: 'Local Dictation',
          version: options.version,
          description: ABOUT,
          license: { name: 'MIT', url: 'https://spdx.org/licenses/MIT.html' },
        },
        tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      },
    }),
  )
  for (const contract of contracts) {
    const { method, path, params, query, operationId, summary, description, tag } = contract
    described.route(method, elysiaPath(path), () => '', {
      ...(params && { params }),
      ...(query && { query }),
      detail: { operationId, summary, description, tags: [tag] },
    })
  }
  const response = await described.handle(new Request(`http://localhost${SPEC_PATH}`))
  return finalizeDocument((await response.json()) as OpenApiDocument, contracts, options)
}
