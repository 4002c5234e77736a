// The sessions of /mcp: a bounded number of them, each an MCP server with its transport. Loads the SDK at the first one.

import { randomUUID } from 'node:crypto'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { asSentence } from '../../lib/did-you-mean.ts'
import { once } from '../../lib/once.ts'
import { fail, type Result, succeed } from '../../lib/result.ts'
import type { McpOptions } from '../../mcp/server.ts'
import type { Problem } from '../kernel/problem.ts'

/** Clients that end without DELETE leave a session; the least recently used one ends instead, if possible an idle one. */
const MAX_SESSIONS = 32
/** Longer than any call: `listen` waits for ten minutes at most. */
const IDLE_MS = 60 * 60 * 1000

const SESSION_HEADER = 'mcp-session-id'

/** A JSON-RPC message: a request has both `id` and `method`, a notification only `method`, a response only `id`. */
export type McpMessage = {
  jsonrpc: '2.0'
  id?: string | number
  method?: string
  params?: Record<string, unknown>
}

type Session = {
  server: McpServer
  transport: WebStandardStreamableHTTPServerTransport
  usedAt: number
  /** responses that are still being sent */
  active: number
}

export type McpSessions = {
  /** The response to one message; the problem if the SDK or the session refuses it. */
  answer(request: Request, message: McpMessage): Promise<Result<Response, Problem>>
  /** Ends the session that the header names, if it exists. */
  end(request: Request): Promise<void>
  count(): number
}

export type McpSessionsOptions = {
  /** called at the opening of each session, so that it can load modules, too */
  options: () => Promise<McpOptions>
  /** a monotonic clock in milliseconds; set by tests */
  passedMs?: () => number
}

export function createMcpSessions({
  options,
  passedMs = () => performance.now(),
}: McpSessionsOptions): McpSessions {
  /** The least recently used first. */
  const sessions = new Map<string, Session>()

  async function endSession(id: string): Promise<void> {
    const session = sessions.get(id)
    sessions.delete(id)
    // Aborts the calls that are still running.
    await session?.server.close()
  }

  async function endOldSessions(): Promise<void> {
    const now = passedMs()
    const old = [...sessions].filter(([, { usedAt }]) => now - usedAt > IDLE_MS)
    for (const [id] of old) await endSession(id)
  }

  async function open(): Promise<Session> {
    const [{ createMcpServer }, { WebStandardStreamableHTTPServerTransport }] = await Promise.all([
      import('../../mcp/server.ts'),
      import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
    ])
    const server = createMcpServer(await options())
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: async (id) => {
        const ids = [...sessions]
        const [oldest] = ids.find(([, { active }]) => active === 0) ?? ids[0] ?? []
        if (sessions.size >= MAX_SESSIONS) await endSession(oldest!)
        sessions.set(id, session)
      },
    })
    const session: Session = { server, transport, usedAt: passedMs(), active: 0 }
    await server.connect(transport)
    return session
  }

  function sessionOf(request: Request, message: McpMessage): Promise<Session> | Result<Session, Problem> {
    const id = request.headers.get(SESSION_HEADER)
    if (id === null) return message.method === 'initialize' ? open() : fail(SESSION_NEEDED)
    const session = sessions.get(id)
    if (session === undefined) return fail(SESSION_GONE)
    sessions.delete(id)
    sessions.set(id, session)
    session.usedAt = passedMs()
    return succeed(session)
  }

  return {
    count: () => sessions.size,
    async end(request) {
      await endSession(request.headers.get(SESSION_HEADER) ?? '')
    },
    async answer(request, message) {
      await endOldSessions()
      const found = await sessionOf(request, message)
      if ('ok' in found && !found.ok) return found
      const session = 'ok' in found ? found.value : found
      const { transport } = session
      const response = await transport.handleRequest(withoutBodyFor(request), { parsedBody: message })
      if (!response.ok) return fail(await refusalOf(response))
      if (message.method === 'notifications/cancelled') endStream(transport, message)
      return succeed(cancelledWithClient(request, { session, message, response }))
    },
  }
}

const SESSION_NEEDED: Problem = {
  code: 'mcp_message_refused',
  detail: `Send the message initialize first, and then the header Mcp-Session-Id of its response.`,
}

const SESSION_GONE: Problem = {
  code: 'mcp_session_not_found',
  detail: 'This session has ended, or the server was restarted. Send the message initialize again.',
}

/** The message is already parsed. A client that does not list both types in Accept can read the response all the same. */
function withoutBodyFor({ url, headers }: Request): Request {
  const sent = new Headers(headers)
  sent.set('accept', 'application/json, text/event-stream')
  sent.delete('content-length')
  return new Request(url, { method: 'POST', headers: sent })
}

async function refusalOf(response: Response): Promise<Problem> {
  const { error } = (await response.json()) as { error: { message: string } }
  return { code: 'mcp_message_refused', detail: asSentence(error.message) }
}

type Answer = { session: Session; message: McpMessage; response: Response }

/** A cancelled request gets no response, so the SDK would leave its stream open. */
function endStream(transport: Session['transport'], { params }: McpMessage): void {
  const id = params?.requestId
  if (typeof id === 'string' || typeof id === 'number') transport.closeSSEStream(id)
}

/** Cancels the call when its client disconnects: nothing could be delivered to it any more. */
function cancelledWithClient({ signal }: Request, { session, message, response }: Answer): Response {
  const { id } = message
  if (id === undefined || response.body === null) return response
  const end = once(() => {
    session.active -= 1
    signal.removeEventListener('abort', cancel)
  })
  const cancel = () => {
    end()
    session.transport.onmessage?.({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: id, reason: 'the client disconnected' },
    })
  }
  session.active += 1
  signal.addEventListener('abort', cancel, { once: true })
  return new Response(response.body.pipeThrough(new TransformStream({ flush: end })), response)
}
