// GET /docs, /docs/json and /openapi.json: the documentation page and the OpenAPI document.

import { Type } from '@sinclair/typebox'
import { defineRoute, ok, type Route } from '../kernel/route.ts'
import { strictObject } from '../kernel/schema.ts'
import type { OpenApiDocument } from './document.ts'
import { docsPage } from './page.ts'

const anything = Type.Object({}, { additionalProperties: true })

const DocumentSchema = strictObject(
  {
    openapi: Type.String({ description: 'the version of OpenAPI' }),
    info: anything,
    servers: Type.Array(anything),
    security: Type.Array(anything),
    tags: Type.Array(anything),
    paths: anything,
    webhooks: Type.Optional(anything),
    components: anything,
  },
  { $id: 'OpenApiDocument', description: 'An OpenAPI 3.1 document.' },
)

/** @param document called lazily, because the document also describes these routes */
export function docsRoutes(document: () => Promise<OpenApiDocument>): Route[] {
  return [
    defineRoute(
      {
        method: 'GET',
        path: '/docs',
        operationId: 'getDocs',
        summary: 'This documentation as a page',
        description:
          'An interactive page. It loads nothing from other servers and works without a network. If the server requires a token, the token is only needed to try operations.',
        tag: 'service',
        open: true,
        responses: ok('The page', { 'text/html': { schema: Type.String() } }),
      },
      docsPage,
    ),
    documentRoute(document, { path: '/docs/json', operationId: 'getDocument' }),
    // Many clients and generators look for the document here.
    documentRoute(document, { path: '/openapi.json', operationId: 'getOpenApiJson' }),
  ]
}

const documentRoute = (
  document: () => Promise<OpenApiDocument>,
  named: { path: string; operationId: string },
): Route =>
  defineRoute(
    {
      ...named,
      method: 'GET',
      summary: 'This documentation as an OpenAPI document',
      description: 'Describes every route, status and media type of this installation.',
      tag: 'service',
      open: true,
      responses: ok('The document', { 'application/json': { schema: DocumentSchema } }),
    },
    async () => Response.json(await document()),
  )
