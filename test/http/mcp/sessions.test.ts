// The sessions of /mcp: what ends them. The tools themselves are tested against a whole server (test/api/mcp.test.ts).

import { expect, test } from 'bun:test'
import { createMcpSessions, type McpMessage } from '../../../src/http/mcp/sessions.ts'
import type { Api } from '../../../src/mcp/api.ts'
import { until } from '../../support/until.ts'

const INITIALIZE: McpMessage = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}

const HOUR_MS = 3600 * 1000

/** An API whose events never come. */
const waitingApi = (onWaiting: (signal: AbortSignal) => void): Api => ({
  request: () => Promise.reject(new Error('not called')),
  async *events(_method, _path, request) {
    const { signal } = request!
    onWaiting(signal!)
    const { promise, reject } = Promise.withResolvers<never>()
    signal!.addEventListener('abort', () => reject(signal!.reason), { once: true })
    await promise
  },
})

function opened() {
  let nowMs = 0
  const waiting = Promise.withResolvers<AbortSignal>()
  const sessions = createMcpSessions({
    options: async () => ({
      api: waitingApi(waiting.resolve),
      allowed: { folders: [], howToAllow: '--allow FOLDER' },
      allowChanges: false,
      howToAllowChanges: '--allow-changes',
    }),
    passedMs: () => nowMs,
  })
  const send = (message: McpMessage, session?: string) => {
    const headers = new Headers({ 'content-type': 'application/json' })
    if (session !== undefined) headers.set('mcp-session-id', session)
    return sessions.answer(new Request('http://127.0.0.1/mcp', { method: 'POST', headers }), message)
  }
  const begin = async (): Promise<string> => {
    const answered = await send(INITIALIZE)
    if (!answered.ok) throw new Error(answered.failure.detail)
    await answered.value.text()
    return answered.value.headers.get('mcp-session-id')!
  }
  const isOpen = async (session: string) => {
    const answered = await send({ jsonrpc: '2.0', id: 2, method: 'ping' }, session)
    if (answered.ok) await answered.value.text()
    else expect(answered.failure.code).toBe('mcp_session_not_found')
    return answered.ok
  }
  return { sessions, send, begin, isOpen, waiting: waiting.promise, pass: (ms: number) => (nowMs += ms) }
}

const LISTEN: McpMessage = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'listen' } }

test('a session ends after an hour without a message, and not before', async () => {
  const { begin, isOpen, pass, sessions } = opened()
  const [used, unused] = [await begin(), await begin()]
  pass(HOUR_MS / 2)
  expect(await isOpen(used)).toBe(true)
  pass(HOUR_MS / 2 + 1)
  expect([await isOpen(used), await isOpen(unused)]).toEqual([true, false])
  expect(sessions.count()).toBe(1)
})

test('the least recently used of too many sessions ends', async () => {
  const { begin, isOpen, sessions } = opened()
  const first = await begin()
  const second = await begin()
  for (let n = 2; n < 32; n++) await begin()
  expect(await isOpen(first)).toBe(true)
  const last = await begin()
  expect([await isOpen(second), await isOpen(first), await isOpen(last)]).toEqual([false, true, true])
  expect(sessions.count()).toBe(32)
})

test('a session with a call in progress does not end in place of an idle one', async () => {
  const { begin, isOpen, send, waiting } = opened()
  const listening = await begin()
  const call = await send(LISTEN, listening)
  const signal = await waiting
  const idle = await begin()
  for (let n = 2; n < 33; n++) await begin()
  expect([signal.aborted, call.ok, await isOpen(idle)]).toEqual([false, true, false])
  expect(await isOpen(listening)).toBe(true)
})

test('a call ends when its client disconnects, cancels it, or ends the session', async () => {
  const ways: ((of: ReturnType<typeof opened>, session: string) => unknown)[] = [
    ({ send }, session) =>
      send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } }, session),
    ({ sessions }, session) =>
      sessions.end(new Request('http://127.0.0.1/mcp', { headers: { 'mcp-session-id': session } })),
  ]
  for (const end of ways) {
    const all = opened()
    const session = await all.begin()
    const answered = await all.send(LISTEN, session)
    const signal = await all.waiting
    expect(signal.aborted).toBe(false)
    await end(all, session)
    expect(signal.aborted).toBe(true)
    // The stream ends, although the call has no result.
    expect(answered.ok && (await answered.value.text())).toBe('')
  }

  const all = opened()
  const web = Bun.serve({
    port: 0,
    fetch: async (request) => {
      const answered = await all.sessions.answer(request, (await request.json()) as McpMessage)
      return answered.ok ? answered.value : new Response(answered.failure.detail, { status: 400 })
    },
  })
  const client = new AbortController()
  const headers = { 'content-type': 'application/json', 'mcp-session-id': await all.begin() }
  const call = { method: 'POST', headers, body: JSON.stringify(LISTEN), signal: client.signal }
  const response = fetch(web.url, call).then((streamed) => streamed.text())
  const signal = await all.waiting
  client.abort()
  await expect(response).rejects.toThrow()
  await until(() => signal.aborted)
  await web.stop(true)
})

test('without a session only initialize is answered', async () => {
  const { send, sessions } = opened()
  const refused = await send({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  expect(refused.ok === false && refused.failure.code).toBe('mcp_message_refused')
  const unfit = await send({ ...INITIALIZE, params: {} })
  expect(unfit.ok === false && unfit.failure.code).toBe('mcp_message_refused')
  expect(sessions.count()).toBe(0)
})
