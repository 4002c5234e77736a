// The API for the tools of /mcp: each call is a request to this server's own app, without a socket. It passes the same
// guard, checks and log as the request of any other client.

import { EventSourceParserStream } from 'eventsource-parser/stream'
import { type Api, ApiFailure, type ApiRequest } from '../../mcp/api.ts'
import type { Fetch } from '../kernel/connection.ts'

export type InProcessOptions = {
  fetch: Fetch
  port: number
  /** sent with each request; the client of /mcp has already shown that it may use the server */
  token: string | null
}

export function createInProcessApi({ fetch, port, token }: InProcessOptions): Api {
  async function send(method: string, path: string, { json, body, type, signal }: ApiRequest) {
    const host = `127.0.0.1:${port}`
    const contentType = json === undefined ? type : 'application/json'
    const sent = json === undefined ? body?.() : JSON.stringify(json)
    const response = await fetch(
      new Request(`http://${host}${path}`, {
        method,
        headers: {
          host,
          ...(contentType !== undefined && { 'content-type': contentType }),
          ...(token !== null && { authorization: `Bearer ${token}` }),
        },
        ...(sent !== undefined && { body: sent }),
        ...(signal !== undefined && { signal }),
      }),
    )
    if (response.ok) return response
    const problem = (await response.json().catch(() => ({}))) as { code?: string; detail?: string }
    throw new ApiFailure(
      problem.code ?? 'internal_error',
      problem.detail ?? `The server returned ${response.status}.`,
    )
  }

  return {
    request: async <T>(method: string, path: string, request: ApiRequest = {}) =>
      (await (await send(method, path, request)).json()) as T,
    async *events(method, path, request = {}) {
      const { body } = await send(method, path, request)
      if (body === null) return
      yield* body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
    },
  }
}
