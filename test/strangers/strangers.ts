// npm run strangers: sends every route the requests that must be rejected, and checks that nothing is read or changed.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { rowsAsTable, writeSection } from '../../scripts/bench/report.ts'
import type { Row } from '../../scripts/bench/table.ts'
import { optionsOrExit } from '../../scripts/options.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { asUser, canServeAs, DAEMON, NOBODY, whyNoOthers } from '../support/users.ts'
import { costRows } from './cost.ts'
import {
  type Kind,
  kindsOf,
  nameCalls,
  type Operation,
  pathsOutside,
  plainCalls,
  redirections,
  secretCalls,
  socketCall,
} from './kinds.ts'
import { type Answer, sendAll } from './send-requests.ts'

const USAGE = `usage: npm run torture -- strangers [--short]
Sends every route requests of foreign pages, under foreign names, without the token and of other users (as root, on
Linux). --short sends a few of these forms, and only prints.`

const { short = false } = optionsOrExit({ short: { type: 'boolean' } }, USAGE)
const FORMS_A_ROUTE = short ? 2 : Number.POSITIVE_INFINITY
/** Part of the stored data; no rejected client may read it. */
const SECRET = 'a-word-that-must-not-be-read'

/** An origin in DICTATION_ORIGINS, and a name in DICTATION_HOSTS. */
const ALLOWED_ORIGIN = 'http://allowed.test'
const ADDED_NAME = 'added.test'

const faults: string[] = []
const rows: Row[] = []

/** By the guard, or by the parser, whose 400 has no body. A 404, 405 or 422 would come from a route. */
const isRejected = ({ status, body }: Answer): boolean =>
  status === 401 || status === 403 || (status === 400 && body === '')

function judge(what: string, requests: string[], answers: Answer[], holds = isRejected): void {
  const wrong = answers.flatMap((answer, at) => {
    if (holds(answer) && !answer.body.includes(SECRET)) return []
    return [`${what}: ${answer.status} for ${JSON.stringify(requests[at]!.slice(0, 160))}`]
  })
  faults.push(...wrong)
  rows.push({ what, value: `${answers.length - wrong.length} of ${answers.length} rejected` })
}

/** Every operation with every form; with --short, a few forms in turn. */
function requestsOf(operations: Operation[], forms: Kind['forms']): string[] {
  return operations.flatMap((operation, at) =>
    forms
      .filter((_, form) => (form + at) % Math.max(1, Math.ceil(forms.length / FORMS_A_ROUTE)) === 0)
      .map((form) => form(operation)),
  )
}

const portOf = (server: RunningServer): number => Number(new URL(server.url).port)

type Documented = { paths: Record<string, Record<string, { security?: unknown[] }>> }

/** Every operation of the document, an asset, and an unknown address. */
async function operationsOf(server: RunningServer, headers: Record<string, string>) {
  const response = await fetch(`${server.url}/docs/json`, { headers })
  const { paths } = (await response.json()) as Documented
  const known = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { security }]) => ({
      method: method.toUpperCase(),
      path: path.replaceAll(/\{\w+\}/g, '0199c0de-0000-7000-8000-000000000001'),
      isOpen: security?.length === 0,
    })),
  )
  const more = [
    { path: '/docs/assets/swagger-ui.css', isOpen: true },
    { path: '/no-such-route', isOpen: false },
  ]
  return [...known, ...more.map((each) => ({ ...each, method: 'GET' }))]
}

type ModelList = { models: { model_name: string; downloaded: boolean }[] }

/** The state as the API and the files show it. */
async function stateOf(server: RunningServer, headers: Record<string, string>): Promise<string> {
  const paths = ['/settings/captures', '/captures', '/dictionary', '/writing-styles', '/commands']
  const texts = await Promise.all(
    paths.map(async (path) => (await fetch(`${server.url}${path}`, { headers })).text()),
  )
  // Loading and measuring a model changes its other fields at any time.
  const { models } = (await (await fetch(`${server.url}/models/status`, { headers })).json()) as ModelList
  const installed = models.map(({ model_name, downloaded }) => `${model_name} ${downloaded}`)
  const files = readdirSync(server.dataFolder, { recursive: true, encoding: 'utf8' })
    // The copy of the library follows 0.3 s after its commit.
    .filter((name) => !/^(postgres|work|instance|library\.json)/.test(name))
    .map((name) => `${name} ${statSync(join(server.dataFolder, name)).size}`)
  return [...texts, ...installed, ...files.toSorted()].join('\n')
}

async function sendAs(uid: number, port: number, requests: string[]): Promise<Answer[]> {
  const command = [...asUser(uid), process.execPath, join(import.meta.dir, 'send-requests.ts')]
  const child = Bun.spawn(command, { env: {}, stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.write(JSON.stringify({ port, requests }))
  child.stdin.end()
  return JSON.parse(await new Response(child.stdout).text()) as Answer[]
}

/** Sends one server all requests. With a token, foreign requests include it and are rejected anyway. */
async function strangersAt(server: RunningServer, token: string | null): Promise<void> {
  const port = portOf(server)
  const authorization = token === null ? null : `Bearer ${token}`
  const headers: Record<string, string> = authorization === null ? {} : { authorization }
  const where = token === null ? '' : ', with a token required'
  await fetch(`${server.url}/settings/captures`, {
    method: 'PATCH',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ initial_prompt: SECRET }),
  })
  const operations = await operationsOf(server, headers)
  const before = await stateOf(server, headers)
  if (!before.includes(SECRET)) faults.push('the secret was not stored')

  for (const { what, forms } of kindsOf(port, authorization)) {
    const requests = requestsOf(operations, forms)
    judge(`${what}${where}`, requests, await sendAll({ port, requests }))
  }
  const wrong = [null, 'Bearer', `Bearer ${token}x`, `Basic ${token}`, `Cookie: dictation_session=${token}`]
  if (token !== null) {
    const closed = operations.filter(({ isOpen }) => !isOpen)
    const requests = requestsOf(closed, plainCalls(port, wrong))
    judge('no token, or a wrong one', requests, await sendAll({ port, requests }))
  }
  if (canServeAs(NOBODY)) {
    const requests = requestsOf(operations, plainCalls(port, token === null ? [null] : wrong))
    for (const uid of [NOBODY, DAEMON])
      judge(`a program of user ${uid}${where}`, requests, await sendAs(uid, port, requests))
    if (token !== null) await secretsOfAnother(server, token, operations)
  } else
    rows.push({
      what: `programs of other users${where}`,
      value: 'skipped',
      note: whyNoOthers ?? 'only root can read the project',
    })
  if ((await stateOf(server, headers)) !== before) faults.push(`something was changed${where}`)
}

/** Sessions and tickets of the server's own user, sent by another user's program. */
async function secretsOfAnother(
  server: RunningServer,
  token: string,
  operations: Operation[],
): Promise<void> {
  const port = portOf(server)
  const secretFor = async (body: object) => {
    const answer = await fetch(`${server.url}/session`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const { session, ticket } = (await answer.json()) as { session: string | null; ticket: string | null }
    return session ?? ticket!
  }
  const secrets = {
    'a page session': await secretFor({}),
    'a socket ticket': await secretFor({ ticket: true }),
    'a path ticket': await secretFor({ ticket: true, path: '/captures' }),
  }
  for (const [what, secret] of Object.entries(secrets)) {
    const requests = requestsOf(operations, secretCalls(port, secret))
    judge(`${what}, sent by a program of user ${NOBODY}`, requests, await sendAs(NOBODY, port, requests))
  }
  const closed = operations.filter((operation) => !('isOpen' in operation && operation.isOpen))
  const cookies = requestsOf(
    closed,
    plainCalls(port, [`Cookie: dictation_session=${secrets['a page session']}`]),
  )
  judge('a page session, as a cookie', cookies, await sendAll({ port, requests: cookies }))
  const others = closed.filter(({ method }) => method !== 'GET')
  const upgrades = requestsOf(others, [socketCall(port, await secretFor({ ticket: true }))])
  judge('a socket ticket, with another method', upgrades, await sendAll({ port, requests: upgrades }))
}

/** A server on one address leaves the other one, and localhost, to other programs. */
async function otherNamesOf(server: RunningServer, addedName: string): Promise<void> {
  const port = portOf(server)
  const headers = {}
  const before = await stateOf(server, headers)
  const requests = requestsOf(await operationsOf(server, headers), nameCalls(port, addedName))
  judge(
    'names and pages of the loopback address that the server does not listen on',
    requests,
    await sendAll({ port, requests }),
  )
  if ((await stateOf(server, headers)) !== before) faults.push('something was changed under another name')
}

/** Allowed pages must not change where recordings, keys and models go. */
async function allowedPages(server: RunningServer): Promise<void> {
  const pages = [
    ALLOWED_ORIGIN,
    'tauri://localhost',
    'app://obsidian.md',
    'vscode-webview://a',
    'capacitor://localhost',
  ]
  const before = await stateOf(server, {})
  const requests = redirections(portOf(server), pages)
  judge(
    'allowed pages that change where recordings, keys and models go',
    requests,
    await sendAll({ port: portOf(server), requests }),
  )
  if ((await stateOf(server, {})) !== before) faults.push('something was changed by an allowed page')
}

/** An allowed client requests files outside of the served folders; none must be found. */
async function pathsAt(server: RunningServer): Promise<void> {
  const requests = pathsOutside(portOf(server))
  const isNotFound = ({ status, body }: Answer) =>
    status >= 400 && status < 500 && !/root:x|"local-dictation"|"pid"/.test(body)
  judge(
    'paths that lead out of the folders',
    requests,
    await sendAll({ port: portOf(server), requests }),
    isNotFound,
  )
}

async function withServer(
  env: Record<string, string>,
  work: (server: RunningServer) => Promise<void>,
): Promise<void> {
  const server = await startServer({ env: { DICTATION_LOG_LEVEL: 'info', ...env } })
  const interrupt = () => void server.stop().then(() => process.exit(130))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt)
  try {
    await work(server)
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupt)
    await server.stop()
  }
}

await withServer({ DICTATION_ORIGINS: ALLOWED_ORIGIN }, async (server) => {
  await strangersAt(server, null)
  await pathsAt(server)
  await allowedPages(server)
})
await withServer({ HOST: '127.0.0.1', DICTATION_HOSTS: ADDED_NAME }, (server) =>
  otherNamesOf(server, ADDED_NAME),
)
await withServer({ DICTATION_TOKEN: 'auto' }, (server) =>
  strangersAt(server, readFileSync(join(server.dataFolder, 'token'), 'utf8')),
)
rows.push({
  what: 'state afterwards',
  value: faults.some((fault) => fault.startsWith('something')) ? 'changed' : 'unchanged',
})

if (!short) {
  rows.push(...(await costRows()))
  await writeSection({
    title: 'Strangers',
    command: 'npm run torture -- strangers',
    how: `Loopback is shared by the pages of a browser, by names that resolve to it, and by all users of a computer. Only programs of the same user (or of root), or with the token, get access. All other requests are rejected before routing, read no stored data and change nothing.
Every route of the document, an asset and an unknown address receive every form of request; rejected means 401, 403, or the parser's 400 without a body. Programs of other users are real processes. Foreign requests include the valid token if one is required.`,
    table: rowsAsTable(rows),
  })
}
for (const { what, value, note } of rows) console.log(`${what}: ${value}${note ? ` (${note})` : ''}`)
for (const fault of faults.slice(0, 20)) console.error(fault)
console.log(faults.length === 0 ? 'All requests were rejected.' : `${faults.length} broken promises.`)
process.exit(faults.length === 0 ? 0 : 1)
