// Calls operations of the document, checks every response against it and counts what was seen.

import { expect } from 'bun:test'
import type { ApiDocument, Operation } from './document.ts'

export type Call = {
  path?: Record<string, string>
  /** a text, or several values of one name */
  query?: Iterable<[string, string]>
  headers?: Record<string, string> | undefined
  body?: BodyInit | undefined
}
export type Received = {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: its shape was checked against the document
  json: any
}
export type Client = {
  /** Fails the test if the response is undocumented or deviates from the document. */
  call(operation: Operation, call?: Call): Promise<Received>
  /** `operationId status` of all responses */
  seen: Set<string>
}

/** Operations that stream until the client disconnects. */
const ENDLESS = new Set(['streamEvents'])

export function createClient(url: string, document: ApiDocument): Client {
  const seen = new Set<string>()
  return {
    seen,
    async call(operation, call = {}) {
      const response = await fetch(`${url}${addressOf(operation, call)}`, {
        method: operation.method,
        headers: call.headers ?? {},
        body: call.body ?? null,
        redirect: 'manual',
      })
      seen.add(`${operation.id} ${response.status}`)
      const text = ENDLESS.has(operation.id) ? await firstEvent(response) : await response.text()
      return {
        status: response.status,
        headers: response.headers,
        text,
        json: check(document, operation, response, text),
      }
    },
  }
}

/** The stream up to the first event, or the whole response if it is a refusal. */
async function firstEvent(response: Response): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    // Leaving the loop closes the connection.
    if (/^data: .*\n\n/m.test(text)) break
  }
  return text
}

export const filledPath = (path: string, values: Record<string, string>): string =>
  path.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? crypto.randomUUID())

function addressOf(operation: Operation, { path = {}, query = [] }: Call): string {
  const filled = filledPath(operation.path, path)
  const search = new URLSearchParams([...query]).toString()
  return search === '' ? filled : `${filled}?${search}`
}

/** The parsed body, or null if it is not JSON. */
function check(document: ApiDocument, operation: Operation, response: Response, text: string): unknown {
  const answer = operation.answers[String(response.status)]
  const summary = `${operation.id} answered ${response.status}: ${text.slice(0, 500)}`
  expect(response.status, summary).toBeLessThan(
    500 + Number(answer !== undefined && isPlanned(response.status)) * 100,
  )
  if (answer === undefined) throw new Error(`not documented: ${summary}`)
  const type = response.headers.get('content-type')?.split(';')[0] ?? null
  const documented = Object.entries(answer.content ?? {})
  if (documented.length === 0) {
    expect([type, text], summary).toEqual([null, ''])
    return null
  }
  const found = documented.find(([mediaType]) => isOfType(type, mediaType))
  if (!found) throw new Error(`${type} is not documented: ${summary}`)
  if (!type?.endsWith('json')) return null
  const json = JSON.parse(text)
  const validate = document.validator(found[1].schema!)
  if (!validate(json)) throw new Error(`${JSON.stringify(validate.errors)}: ${summary}`)
  if (response.status >= 400)
    checkProblem(json as Record<string, unknown>, response.status, answer.description, summary)
  return json
}

/** Planned refusals; any other 5xx is a bug in the server. */
const isPlanned = (status: number): boolean => status === 503 || status === 507

function checkProblem(
  problem: Record<string, unknown>,
  status: number,
  description: string,
  summary: string,
): void {
  const { error } = problem as { error?: { code: string; message: string } | string }
  if (error === undefined) {
    expect(problem.status, summary).toBe(status)
    expect(problem.type, summary).toBe(`/problems/${problem.code}`)
  }
  // The document lists the codes of each status.
  const own = typeof error === 'string' ? { code: problem.code, message: error } : error
  expect(description, summary).toContain(`\`${own?.code ?? problem.code}\``)
  expect(own?.message ?? problem.detail, summary).toMatch(/\S.*[.?]$/s)
  expect(summary).not.toMatch(/\.ts\b|node_modules|\/tmp\/|select .* from/i)
}

const isOfType = (type: string | null, documented: string): boolean =>
  type === documented || (documented.endsWith('/*') && type?.startsWith(documented.slice(0, -1)) === true)
