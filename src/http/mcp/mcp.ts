// POST and DELETE /mcp: the Model Context Protocol, with the streamable HTTP transport of the official SDK.

import { type TSchema, Type } from '@sinclair/typebox'
import type { Connection, Fetch } from '../kernel/connection.ts'
import { problemResponse } from '../kernel/problem.ts'
import { defineRoute, ok, type Route } from '../kernel/route.ts'
import { strictObject } from '../kernel/schema.ts'
import { foreignPageRefused } from '../server/guard.ts'
import { createMcpSessions, type McpMessage } from './sessions.ts'

export type McpDeps = {
  config: { port: number; token: string | null; mcpFolders: readonly string[]; mcpChanges: boolean }
  /** the app of this server, which the tools call */
  callApp: Fetch
}

const anyObject = (description: string): TSchema =>
  Type.Object({}, { additionalProperties: true, description })

const MessageSchema = strictObject(
  {
    jsonrpc: Type.Literal('2.0'),
    id: Type.Optional(Type.Union([Type.String(), Type.Integer()])),
    method: Type.Optional(Type.String()),
    params: Type.Optional(anyObject('depends on the method')),
    result: Type.Optional(anyObject('of a response')),
    error: Type.Optional(anyObject('of a failed response')),
  },
  { $id: 'McpMessage', description: 'One JSON-RPC 2.0 message; no batch.' },
)

const DESCRIPTION = `Clients of the Model Context Protocol connect here; docs/mcp.md describes the tools. The client sends the message
\`initialize\` first, and the header \`Mcp-Session-Id\` of its response with every other message. A session ends with
\`DELETE\`, or after an hour without a message. The tools only read, unless the server was started with
DICTATION_MCP_CHANGES=yes, and transcribe files only in the folders of DICTATION_MCP_FOLDERS. Web pages of other origins
cannot use this address.`

const HEADERS = { 'Mcp-Session-Id': 'the session, in every message but `initialize`' }

const EXAMPLE_RESPONSE = `event: message
data: {"result":{"tools":[]},"jsonrpc":"2.0","id":1}

`

const foreignPage = (request: Request, connection: Connection) =>
  foreignPageRefused({ request, listening: connection }, 'use this address')

export function mcpRoutes(deps: McpDeps): Route[] {
  const sessions = createMcpSessions({
    options: async () => ({
      api: (await import('./in-process-api.ts')).createInProcessApi({
        ...deps.config,
        fetch: deps.callApp,
      }),
      allowed: {
        folders: deps.config.mcpFolders,
        howToAllow: 'DICTATION_MCP_FOLDERS in the environment of the server',
      },
      allowChanges: deps.config.mcpChanges,
      howToAllowChanges: 'DICTATION_MCP_CHANGES=yes in the environment of the server',
    }),
  })

  const message = defineRoute(
    {
      method: 'POST',
      path: '/mcp',
      operationId: 'sendMcpMessage',
      summary: 'Send a message of the Model Context Protocol',
      description: DESCRIPTION,
      tag: 'service',
      headers: HEADERS,
      body: {
        kind: 'json',
        schema: MessageSchema,
        example: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
      },
      responses: {
        ...ok('The response to a request, after its notifications', {
          'text/event-stream': { example: EXAMPLE_RESPONSE },
        }),
        202: { description: 'The notification or the response was accepted' },
      },
      problems: ['mcp_message_refused', 'mcp_session_not_found'],
    },
    async (request, { body, connection }) => {
      const refused = foreignPage(request, connection)
      if (refused) return problemResponse(refused)
      const answered = await sessions.answer(request, body as McpMessage)
      return answered.ok ? answered.value : problemResponse(answered.failure)
    },
  )

  const end = defineRoute(
    {
      method: 'DELETE',
      path: '/mcp',
      operationId: 'endMcpSession',
      summary: 'End a session of the Model Context Protocol',
      description: 'Ends the session in the header and its running calls. Without a session it does nothing.',
      tag: 'service',
      headers: HEADERS,
      responses: { 204: { description: 'The session has ended' } },
    },
    async (request, { connection }) => {
      const refused = foreignPage(request, connection)
      if (refused) return problemResponse(refused)
      await sessions.end(request)
      return new Response(null, { status: 204 })
    },
  )

  return [message, end]
}
