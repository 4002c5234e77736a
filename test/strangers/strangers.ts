// npm run strangers: every route is asked by everybody who must not get an answer, and nothing may be read or changed.
// Who they are is kinds.ts.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { RELIABILITY, rowsAsTable, writeSection } from '../../scripts/bench/report.ts'
import type { Row } from '../../scripts/bench/table.ts'
import { optionsOrExit } from '../../scripts/client/options.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { asUser, canServeAs, DAEMON, NOBODY, whyNoOthers } from '../support/users.ts'
import { type Answer, askAll } from './ask.ts'
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

const USAGE = `usage: npm run strangers -- [--short]
Asks every route as foreign pages, under foreign names, without the token and as other users do (as root, on Linux).
--short asks each route in a few of these ways, and prints only.`

const { short = false } = optionsOrExit({ short: { type: 'boolean' } }, USAGE)
const FORMS_A_ROUTE = short ? 2 : Number.POSITIVE_INFINITY
/** Stands in what the server keeps; no stranger may see it. */
const KEPT = 'a-word-that-nobody-else-may-read'

/** A page of another origin that a person has let in, and a name of this computer that a person has added. */
const LET_IN = 'http://let-in.test'
const ADDED_NAME = 'added.test'

const faults: string[] = []
const rows: Row[] = []

/** By the guard, or by the parser, which says nothing; a 404, 405 or 422 would be a route's own answer. */
const isRefused = ({ status, body }: Answer): boolean =>
  status === 401 || status === 403 || (status === 400 && body === '')

function judge(what: string, requests: string[], answers: Answer[], holds = isRefused): void {
  const wrong = answers.flatMap((answer, at) => {
    if (holds(answer) && !answer.body.includes(KEPT)) return []
    return [`${what}: ${answer.status} for ${JSON.stringify(requests[at]!.slice(0, 160))}`]
  })
  faults.push(...wrong)
  rows.push({ what, value: `${answers.length - wrong.length} of ${answers.length} refused` })
}

/** Every operation with every form, or, in the short form, with some, in turn. */
function requestsOf(operations: Operation[], forms: Kind['forms']): string[] {
  return operations.flatMap((operation, at) =>
    forms
      .filter((_, form) => (form + at) % Math.max(1, Math.ceil(forms.length / FORMS_A_ROUTE)) === 0)
      .map((form) => form(operation)),
  )
}

const portOf = (server: RunningServer): number => Number(new URL(server.url).port)

type Documented = { paths: Record<string, Record<string, { security?: unknown[] }>> }

/** All that the document names, an asset, and what there is not. */
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

/** Everything that a person would miss: what the API shows, and the files. */
async function stateOf(server: RunningServer, headers: Record<string, string>): Promise<string> {
  const shown = [
    '/settings/captures',
    '/captures',
    '/dictionary',
    '/writing-styles',
    '/commands',
    '/models/status',
  ]
  const texts = await Promise.all(
    shown.map(async (path) => (await fetch(`${server.url}${path}`, { headers })).text()),
  )
  const files = readdirSync(server.dataFolder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !/^(postgres|work|instance)/.test(name))
    .map((name) => `${name} ${statSync(join(server.dataFolder, name)).size}`)
  return [...texts, ...files.toSorted()].join('\n')
}

async function askAs(uid: number, port: number, requests: string[]): Promise<Answer[]> {
  const command = [...asUser(uid), process.execPath, join(import.meta.dir, 'ask.ts')]
  const child = Bun.spawn(command, { env: {}, stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.write(JSON.stringify({ port, requests }))
  child.stdin.end()
  return JSON.parse(await new Response(child.stdout).text()) as Answer[]
}

/** As one server sees them all; with a token, what is foreign brings it along and is refused all the same. */
async function strangersAt(server: RunningServer, token: string | null): Promise<void> {
  const port = portOf(server)
  const authorization = token === null ? null : `Bearer ${token}`
  const headers: Record<string, string> = authorization === null ? {} : { authorization }
  const where = token === null ? '' : ', where a token is demanded'
  await fetch(`${server.url}/settings/captures`, {
    method: 'PATCH',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ initial_prompt: KEPT }),
  })
  const operations = await operationsOf(server, headers)
  const before = await stateOf(server, headers)
  if (!before.includes(KEPT)) faults.push('what strangers must not read was not kept')

  for (const { what, forms } of kindsOf(port, authorization)) {
    const requests = requestsOf(operations, forms)
    judge(`${what}${where}`, requests, await askAll({ port, requests }))
  }
  const wrong = [null, 'Bearer', `Bearer ${token}x`, `Basic ${token}`, `Cookie: dictation_session=${token}`]
  if (token !== null) {
    const closed = operations.filter(({ isOpen }) => !isOpen)
    const requests = requestsOf(closed, plainCalls(port, wrong))
    judge('no token, or a wrong one', requests, await askAll({ port, requests }))
  }
  if (canServeAs(NOBODY)) {
    const requests = requestsOf(operations, plainCalls(port, token === null ? [null] : wrong))
    for (const uid of [NOBODY, DAEMON])
      judge(`a program of user ${uid}${where}`, requests, await askAs(uid, port, requests))
    if (token !== null) await secretsOfAnother(server, token, operations)
  } else
    rows.push({
      what: `programs of other users${where}`,
      value: 'left out',
      note: whyNoOthers ?? 'the project is readable by root alone',
    })
  if ((await stateOf(server, headers)) !== before) faults.push(`something was changed${where}`)
}

/** What a page of the own user is given for the token, in the hands of another user's program. */
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
    'the session of a page': await secretFor({}),
    'the ticket of a socket': await secretFor({ ticket: true }),
    'the ticket of a path': await secretFor({ ticket: true, path: '/captures' }),
  }
  for (const [what, secret] of Object.entries(secrets)) {
    const requests = requestsOf(operations, secretCalls(port, secret))
    judge(`${what}, sent by a program of user ${NOBODY}`, requests, await askAs(NOBODY, port, requests))
  }
  const closed = operations.filter((operation) => !('isOpen' in operation && operation.isOpen))
  const cookies = requestsOf(
    closed,
    plainCalls(port, [`Cookie: dictation_session=${secrets['the session of a page']}`]),
  )
  judge('the session of a page, as a cookie', cookies, await askAll({ port, requests: cookies }))
  const others = closed.filter(({ method }) => method !== 'GET')
  const upgrades = requestsOf(others, [socketCall(port, await secretFor({ ticket: true }))])
  judge('the ticket of a socket, by another method', upgrades, await askAll({ port, requests: upgrades }))
}

/** A server on one address alone leaves the other one, and with it localhost, to other programs. */
async function otherNamesOf(server: RunningServer, addedName: string): Promise<void> {
  const port = portOf(server)
  const headers = {}
  const before = await stateOf(server, headers)
  const requests = requestsOf(await operationsOf(server, headers), nameCalls(port, addedName))
  judge(
    'names and pages of the loopback address that the server does not listen on',
    requests,
    await askAll({ port, requests }),
  )
  if ((await stateOf(server, headers)) !== before) faults.push('something was changed under another name')
}

/** Pages that may call choose no place for words, keys and models. */
async function pagesThatMayCall(server: RunningServer): Promise<void> {
  const pages = [
    LET_IN,
    'tauri://localhost',
    'app://obsidian.md',
    'vscode-webview://a',
    'capacitor://localhost',
  ]
  const before = await stateOf(server, {})
  const requests = redirections(portOf(server), pages)
  judge(
    'pages that may call, choosing where words, keys and models go',
    requests,
    await askAll({ port: portOf(server), requests }),
  )
  if ((await stateOf(server, {})) !== before) faults.push('something was changed by a page that may call')
}

/** A friend who asks for files: what is not the page's must not be there. */
async function pathsAt(server: RunningServer): Promise<void> {
  const requests = pathsOutside(portOf(server))
  const isNothing = ({ status, body }: Answer) =>
    status >= 400 && status < 500 && !/root:x|"local-dictation"|"pid"/.test(body)
  judge(
    'paths that lead out of the folders',
    requests,
    await askAll({ port: portOf(server), requests }),
    isNothing,
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

await withServer({ DICTATION_ORIGINS: LET_IN }, async (server) => {
  await strangersAt(server, null)
  await pathsAt(server)
  await pagesThatMayCall(server)
})
await withServer({ HOST: '127.0.0.1', DICTATION_HOSTS: ADDED_NAME }, (server) =>
  otherNamesOf(server, ADDED_NAME),
)
await withServer({ DICTATION_TOKEN: 'auto' }, (server) =>
  strangersAt(server, readFileSync(join(server.dataFolder, 'token'), 'utf8')),
)
rows.push({
  what: 'state after all of it',
  value: faults.some((fault) => fault.startsWith('something')) ? 'changed' : 'as before',
})

if (!short) {
  rows.push(...(await costRows()))
  await writeSection(
    {
      title: 'Strangers',
      command: 'npm run strangers',
      how: `Loopback is shared: by the pages of a browser, by names that point to it, and by all users of a computer. Whoever is not a program of the same user (or of root), or of somebody who has the token, is refused before any route is looked for, reads nothing that is kept and changes nothing.
Every route of the document, an asset and an address that is not there are asked in every form; refused is 401, 403, or the bare 400 of the parser. Programs of other users are real ones. Foreign requests bring the right token along where one is demanded.`,
      table: rowsAsTable(rows),
    },
    RELIABILITY,
  )
}
for (const { what, value, note } of rows) console.log(`${what}: ${value}${note ? ` (${note})` : ''}`)
for (const fault of faults.slice(0, 20)) console.error(fault)
console.log(faults.length === 0 ? 'Nobody came in.' : `${faults.length} promises were broken.`)
process.exit(faults.length === 0 ? 0 : 1)
