// What a route declares about itself, and how such declarations become routes of Elysia.
// Knows no resource; the document is made from the same declarations (document.ts).

import type { Static, TObject, TSchema } from '@sinclair/typebox'
import type { Elysia } from 'elysia'
import { type Result, succeed } from '../lib/result.ts'
import { allAtOnce, faultyNames, goodKeys, isUnprocessable } from './at-once.ts'
import type { Connection } from './connection.ts'
import { methodNotAllowed } from './errors.ts'
import { createChecker, createTextChecker, type TextValues } from './input.ts'
import { checkMediaType, readJson, readText } from './json-body.ts'
import { type Fault, invalidRequest, type Problem, type ProblemCode, problemResponse } from './problem.ts'
import { routePath } from './route-path.ts'
import { strictObject } from './schema.ts'

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type Method = (typeof METHODS)[number]

export type JsonBody = {
  kind: 'json'
  schema: TObject
  example: unknown
  optional?: boolean
  /** what no schema can say; asked of every body, and heard where the schema has not found the same place wrong */
  alsoWrong?: (value: unknown) => Fault[]
  /** a form with one recording is taken in its place; the handler reads it, and gets no body */
  form?: { fields: TObject; file: { description: string } }
}

/** A form with one file, a recording unless it says otherwise. The handler reads it with receiveForm, as it streams. */
export type FormBody = {
  kind: 'form'
  fields: TObject
  file: { description: string; audio?: boolean }
  /** the file may also be the whole body, of these media types; the fields stand in the query then */
  raw?: { mediaTypes: readonly string[]; description: string }
}

/** A text in one of several forms, which the handler is given as it is. */
export type TextBody = {
  kind: 'text'
  /** by media type: what it holds, and an example */
  forms: Record<string, { description: string; example: string }>
  maxBytes: number
}

/** One representation of a successful answer; binary ones have no schema. */
export type Representation = { schema?: TSchema; example?: unknown }

export type ResponseContract = {
  description: string
  /** by media type; none means an empty body */
  content?: Record<string, Representation>
  headers?: Record<string, string>
}

export type Contract = {
  method: Method
  /** parameters in braces: `/captures/{id}` */
  path: string
  operationId: string
  summary: string
  description: string
  tag: string
  params?: TObject
  query?: TObject
  /** request headers worth documenting: name to description */
  headers?: Record<string, string>
  body?: JsonBody | FormBody | TextBody
  /**
   * What only a look can tell of what was sent. Asked of the good parts also where others are refused, so that all
   * faults are told at once; of what it gives only a 422 refuses here, the rest is the handler's to find.
   */
  lookUp?: (sent: Sent) => Promise<(Problem | null)[]> | (Problem | null)[]
  responses: Record<number, ResponseContract>
  /** the codes of its own; those that every route shares are added by the document */
  problems?: readonly ProblemCode[]
  /** answers without a token even where one is demanded of all others */
  open?: boolean
}

/** The parts of a request that the schemas found nothing wrong with. */
export type Sent = {
  request: Request
  path: Record<string, unknown>
  query: Record<string, unknown>
  /** the keys of JSON; nothing of a form, which its own check looks at */
  body: Record<string, unknown>
  /** keys of the body that are wrong: what depends on them cannot be told */
  faulty: ReadonlySet<string>
  /** whether anything is, so that the request is refused whatever else is found */
  isRefused: boolean
}

type Parsed<S> = S extends TSchema ? Static<S> : Record<string, never>

export type Input<C extends Contract> = {
  params: Parsed<C['params']>
  query: Parsed<C['query']>
  body: C['body'] extends { kind: 'json'; schema: infer S extends TSchema } & (
    | { optional: true }
    | { form: object }
  )
    ? Static<S> | undefined
    : C['body'] extends { kind: 'json'; schema: infer S extends TSchema }
      ? Static<S>
      : C['body'] extends { kind: 'text' }
        ? string
        : undefined
  connection: Connection
}

export type Handler<C extends Contract> = (request: Request, input: Input<C>) => Response | Promise<Response>

export type Route = {
  contract: Contract
  handle: (request: Request, input: Input<Contract>) => Response | Promise<Response>
}

/** Ties a handler to its declaration; the handler's input has the types that the schemas declare. */
export const defineRoute = <const C extends Contract>(contract: C, handle: Handler<C>): Route => ({
  contract,
  handle: handle as unknown as Route['handle'],
})

/** Adds the routes to an app. All input is checked here, and a handler only ever sees what passed. */
export function registerRoutes(
  app: Elysia,
  routes: readonly Route[],
  connectionOf: (request: Request) => Connection,
): void {
  const methods = Map.groupBy(routes, ({ contract }) => contract.path)
  for (const { contract, handle } of routes) {
    const readInput = createInputReader(contract)
    const answer = async (request: Request, params: Record<string, string>): Promise<Response> => {
      // The router takes `/captures/export` for an id where the address itself lacks the method.
      const others = contract.params && methods.get(routePath(request))
      if (others) return problemResponse(methodNotAllowed(request, others.map(methodOf)))
      const input = await readInput(request, params, connectionOf(request))
      return input instanceof Response ? input : handle(request, input)
    }
    // 'none' leaves the body alone: Elysia's own parsers would gather an upload in memory.
    app.route(contract.method, elysiaPath(contract.path), ({ request, params }) => answer(request, params), {
      parse: 'none',
    })
  }
}

const methodOf = ({ contract }: Route): Method => contract.method

/** `/captures/{id}` as Elysia writes it: `/captures/:id`. */
export const elysiaPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')

const NO_QUERY = strictObject({})

/** Whether what was sent says that it is a form. */
export const isForm = (request: Request): boolean =>
  /^multipart\/form-data\b/i.test(request.headers.get('content-type') ?? '')

type InputReader = (
  request: Request,
  params: Record<string, string>,
  connection: Connection,
) => Promise<Input<Contract> | Response>

function createInputReader({ params, query, body, lookUp }: Contract): InputReader {
  const checkParams = params ? createTextChecker(params, 'path') : null
  const checkQuery = createTextChecker(query ?? NO_QUERY, 'query')
  const checkBody = body?.kind === 'json' ? createChecker(body.schema, 'body') : null

  return async (request, pathValues, connection) => {
    const faults: Fault[] = []
    const collect = <T>(checked: Result<T, Fault[]>): T | undefined => {
      if (checked.ok) return checked.value
      faults.push(...checked.failure)
      return undefined
    }
    const path = collect(checkParams?.(Object.entries(pathValues)) ?? succeed({}))
    const { searchParams } = new URL(request.url)
    const parameters = collect(checkQuery(searchParams))
    let content: unknown
    let sentBody: unknown
    if (body?.kind === 'json' && body.form && isForm(request)) {
      const wrongType = checkMediaType(request, ['multipart/form-data'])
      if (wrongType) return problemResponse(wrongType)
    } else if (body?.kind === 'json' && checkBody) {
      const accepted = body.form ? ['application/json', 'multipart/form-data'] : ['application/json']
      const json = await readJson(request, connection, { optional: body.optional === true, accepted })
      if (!json.ok) return problemResponse(json.failure)
      if (json.value !== undefined) {
        sentBody = json.value
        content = collect(checkBody(json.value))
        const known = new Set(faults.map(({ path }) => path))
        faults.push(...(body.alsoWrong?.(json.value) ?? []).filter((fault) => !known.has(fault.path)))
      }
    } else if (body?.kind === 'form') {
      const accepted = ['multipart/form-data', ...(body.raw?.mediaTypes ?? [])]
      const wrongType = checkMediaType(request, accepted)
      if (wrongType) return problemResponse(wrongType)
    } else if (body?.kind === 'text') {
      const { maxBytes } = body
      const read = await readText(request, connection, { accepted: Object.keys(body.forms), maxBytes })
      if (!read.ok) return problemResponse(read.failure)
      content = read.value
    } else {
      connection.requestIsWhole()
    }
    const looked = await lookUp?.({
      request,
      path: (path ?? {}) as Record<string, unknown>,
      query: (parameters ?? goodValues(checkQuery, searchParams, faults)) as Record<string, unknown>,
      body: goodKeys(sentBody, faults),
      faulty: faultyNames(faults, 'body'),
      isRefused: faults.length > 0,
    })
    const refusal = allAtOnce([faults.length > 0 ? invalidRequest(faults) : null, ...(looked ?? [])])
    if (refusal !== null && isUnprocessable(refusal)) return problemResponse(refusal)
    return { params: path, query: parameters, body: content, connection } as Input<Contract>
  }
}

/** What is left of a query when its faults are taken out. */
function goodValues(
  check: ReturnType<typeof createTextChecker>,
  values: TextValues,
  faults: readonly Fault[],
): Record<string, unknown> {
  const faulty = faultyNames(faults, 'query')
  const checked = check([...values].filter(([name]) => !faulty.has(name)))
  return checked.ok ? (checked.value as Record<string, unknown>) : {}
}
