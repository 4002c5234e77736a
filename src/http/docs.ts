// The documentation's routes: a page to read and try the API on, its files, and the OpenAPI document it shows.
// Works without a network: everything the page needs comes from this server. What stands on it is docs-page.ts.

import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { staticPlugin } from '@elysiajs/static'
import { Type } from '@sinclair/typebox'
import type { Elysia } from 'elysia'
import { docsPage } from './docs-page.ts'
import type { OpenApiDocument } from './finalize-document.ts'
import { defineRoute, type Route } from './route.ts'
import { strictObject } from './schema.ts'
import type { Access } from './sessions.ts'
import { signInPage } from './sign-in-page.ts'

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

/** `document` is asked when it is needed: it describes these routes too. Who has no token is asked for it. */
export function createDocsRoutes(
  document: () => Promise<OpenApiDocument>,
  access: Pick<Access, 'isAuthorized'>,
): Route[] {
  return [
    defineRoute(
      {
        method: 'GET',
        path: '/docs',
        operationId: 'getDocs',
        summary: 'This documentation as a page',
        description:
          'An interactive page; it loads nothing from anywhere else and works without a network. Where a token is demanded, it asks for it first.',
        tag: 'service',
        open: true,
        responses: { 200: { description: 'The page', content: { 'text/html': { schema: Type.String() } } } },
      },
      (request) => (access.isAuthorized(request) ? docsPage(request) : signInPage()),
    ),
    documentRoute(document, { path: '/docs/json', operationId: 'getDocument' }),
    // Where many clients and generators look for it.
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
      responses: {
        200: { description: 'The document', content: { 'application/json': { schema: DocumentSchema } } },
      },
    },
    async () => Response.json(await document()),
  )

/** Exactly these files of the package: it also carries source maps and a page of its own. */
const SWAGGER_UI_FILES = /[\\/](swagger-ui-bundle\.js|swagger-ui\.css|favicon-32x32\.png)$/

/** What the page is made of and the document do not change while the server runs. */
export const isPartOfDocs = (path: string): boolean => path.startsWith('/docs/') || path === '/openapi.json'

/** Serves the files the page is made of. */
export async function serveDocsAssets(app: Elysia): Promise<void> {
  const swaggerUi = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')))
  const own = fileURLToPath(new URL('./docs-assets', import.meta.url))
  const served = {
    // Listed once at the start, so that no request ever names a file: no dotfiles, no links, no traversal.
    alwaysStatic: true,
    bundleHTML: false,
    indexHTML: false,
    // Its ETags are unquoted, which RFC 9110 does not allow; packed.ts makes its own.
    etag: false,
    detail: { hide: true },
  }
  const others = new RegExp(`^(?!.*${SWAGGER_UI_FILES.source})`)
  app.use(
    await staticPlugin({ ...served, assets: swaggerUi, prefix: '/docs/assets', ignorePatterns: [others] }),
  )
  app.use(await staticPlugin({ ...served, assets: own, prefix: '/docs/page', ignorePatterns: [] }))
}
