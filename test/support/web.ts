// A web application with a test's own routes, called without a socket as by a program on this computer. For what the
// HTTP layer does with any route.

import { composeApp, type WebOptions } from '../../src/http/compose-app.ts'
import { type Connection, directConnection } from '../../src/http/kernel/connection.ts'
import type { Route } from '../../src/http/kernel/route.ts'
import { silentLog } from '../../src/lib/log.ts'

export const ORIGIN = 'http://localhost:17493'

export type Call = (
  path: string,
  init?: RequestInit & { connection?: Partial<Connection> },
) => Promise<Response>

export async function webOf(routes: readonly Route[], options: Partial<WebOptions['config']> = {}) {
  const config = { port: 17_493, token: null, users: 'own' as const, origins: [], ...options }
  const app = await composeApp(routes, { config, log: silentLog, version: '0.0.0' })
  const call: Call = (path, { connection, ...init } = {}) => {
    const headers = new Headers(init.headers)
    if (!headers.has('host')) headers.set('host', 'localhost:17493')
    const whole = { ...directConnection(config.port), ...connection }
    return app.fetch(new Request(`${ORIGIN}${path}`, { ...init, headers }), whole)
  }
  return { app, call }
}

/** What every route must declare. */
export const declared = { summary: 'A test', description: 'A test.', tag: 'service', responses: {} }
