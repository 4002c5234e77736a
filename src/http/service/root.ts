// GET /: whoever opens the address in a browser is shown the documentation, a program is told what answers here.
// How the server is doing is health.ts.

import { Type } from '@sinclair/typebox'
import { defineRoute, type Route } from '../contract/route.ts'
import { strictObject } from '../contract/schema.ts'
import { SERVICE_NAME } from '../server/service-name.ts'

const RootSchema = strictObject(
  {
    message: Type.String(),
    service: Type.Literal(SERVICE_NAME),
    version: Type.String(),
    docs: Type.String({ description: 'where the documentation is' }),
  },
  { $id: 'Root' },
)

export const rootRoute = ({ version }: { version: string }): Route =>
  defineRoute(
    {
      method: 'GET',
      path: '/',
      operationId: 'getRoot',
      summary: 'What answers here',
      description: 'A browser is sent to the documentation.',
      tag: 'service',
      open: true,
      headers: { Accept: '`text/html` is answered with the documentation' },
      responses: {
        200: {
          description: 'The name and version of this server',
          content: {
            'application/json': { schema: RootSchema, example: rootOf('0.1.0') },
          },
        },
        302: { description: 'The documentation', headers: { Location: 'of the documentation' } },
      },
    },
    (request) =>
      request.headers.get('accept')?.includes('text/html')
        ? new Response(null, { status: 302, headers: { location: '/docs', vary: 'accept' } })
        : Response.json(rootOf(version), { headers: { vary: 'accept' } }),
  )

const rootOf = (version: string) => ({
  message: 'Local Dictation API',
  service: SERVICE_NAME,
  version,
  docs: '/docs',
})
