// GET /: the page for a browser, or the name and version of the server for a program.

import { Type } from '@sinclair/typebox'
import { defineRoute, ok, type Route } from '../kernel/route.ts'
import { strictObject } from '../kernel/schema.ts'
import { SERVICE_NAME } from '../server/origins.ts'
import { PAGE_FILE } from './asset-files.ts'

const RootSchema = strictObject(
  {
    message: Type.String(),
    service: Type.Literal(SERVICE_NAME),
    version: Type.String(),
    docs: Type.String({ description: 'where the documentation is' }),
  },
  { $id: 'Root' },
)

/** No inline code, no other origins. For older WebKit, `'self'` does not include the WebSockets of this server. */
const policyFor = (origin: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "media-src 'self' blob:",
    `connect-src 'self' ${origin.replace(/^http/, 'ws')}`,
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

export const rootRoute = ({ version }: { version: string }): Route =>
  defineRoute(
    {
      method: 'GET',
      path: '/',
      operationId: 'getRoot',
      summary: 'Get the page, or the name and version of the server',
      description:
        'A browser gets the page for recording, reading and searching. The page asks for the token if one is required.',
      tag: 'service',
      open: true,
      headers: { Accept: '`text/html` returns the page' },
      responses: ok('The name and version of this server, or the page', {
        'application/json': { schema: RootSchema, example: rootOf('0.1.0') },
        'text/html': { schema: Type.String() },
      }),
    },
    (request) => {
      if (!request.headers.get('accept')?.includes('text/html'))
        return Response.json(rootOf(version), { headers: { vary: 'accept' } })
      return page(request)
    },
  )

const rootOf = (version: string) => ({
  message: 'Local Dictation API',
  service: SERVICE_NAME,
  version,
  docs: '/docs',
})

const page = (request: Request): Response =>
  new Response(PAGE_FILE, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': policyFor(new URL(request.url).origin),
      'permissions-policy': 'microphone=(self)',
      vary: 'accept',
    },
  })
