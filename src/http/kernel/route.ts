// The contract of a route and its handler, and reading a request by it. Routing, input validation and the OpenAPI
// document are derived from the contract.

import { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox'
import { didYouMean } from '../../lib/did-you-mean.ts'
import { type Result, succeed } from '../../lib/result.ts'
import { addressOfAlias, type Connection } from './connection.ts'
import { isForm } from './form.ts'
import {
  createChecker,
  createTextChecker,
  invalidNames,
  isUnprocessable,
  mergeProblems,
  type TextValues,
  validKeys,
} from './input.ts'
import { checkMediaType, readJsonBody, readTextBody } from './json-body.ts'
import { type Fault, invalidRequest, type Problem, type ProblemCode, problemResponse } from './problem.ts'
import { strictObject } from './schema.ts'

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export type Method = (typeof METHODS)[number]

export type JsonBody = {
  kind: 'json'
  schema: TObject
  example: unknown
  optional?: boolean
  /** checks that no schema can express; runs for every body, and its errors are dropped where the schema reports the same path */
  validate?: (value: unknown) => Fault[]
  /** the route also accepts a form with one recording; the handler reads it, and `body` is undefined */
  form?: { fields: TObject; file: { description: string } }
}

/** A form with one file, a recording by default. The handler streams it with receiveForm. */
export type FormBody = {
  kind: 'form'
  fields: TObject
  file: { description: string; audio?: boolean }
  /** the file may also be the whole body, with one of these media types; the fields are then in the query */
  raw?: { mediaTypes: readonly string[]; description: string }
}

/** A text in one of several formats, passed to the handler unparsed. */
export type TextBody = {
  kind: 'text'
  /** by media type */
  forms: Record<string, { description: string; example: string }>
  maxBytes: number
}

/** One representation of a successful response; binary ones have no schema. */
export type Representation = { schema?: TSchema; example?: unknown }

export type ResponseContract = {
  description: string
  /** by media type; absent for an empty body */
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
  /** documented request headers: name to description */
  headers?: Record<string, string>
  body?: JsonBody | FormBody | TextBody
  /**
   * Checks that need a lookup. Runs on the valid parts even if others are invalid, so that all errors are reported at
   * once. Only a 422 rejects the request here; the handler reports the other problems.
   */
  resolve?: (sent: ParsedRequest) => Promise<Problems | Lookup> | Problems | Lookup
  responses: Record<number, ResponseContract>
  /** the codes of this route; the document adds those that all routes share */
  problems?: readonly ProblemCode[]
  /** requires no token, even if the server has one */
  open?: boolean
}

type Problems = readonly (Problem | null)[]

/** The problems, and the value for the handler. `found` is omitted only if a 422 keeps the handler from running. */
export type Lookup<Found = unknown> = { problems: Problems; found?: Found | undefined }

/** The result of a lookup that only parses the request. */
export const orFieldErrors = <T>(read: Result<T, Fault[]>): Lookup<T> =>
  read.ok ? { problems: [], found: read.value } : { problems: [invalidRequest(read.failure)] }

/** The valid parts of a request. */
export type ParsedRequest = {
  request: Request
  path: Record<string, unknown>
  query: Record<string, unknown>
  /** the keys of a JSON body; empty for a form, which has its own check */
  body: Record<string, unknown>
  /** the JSON body as sent, valid or not */
  json: unknown
  /** invalid keys of the body; values that depend on them cannot be checked */
  faulty: ReadonlySet<string>
  /** whether any part is invalid, so that the request is rejected in any case */
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
  /** the result of `resolve` */
  found: FoundBy<C['resolve']>
  connection: Connection
}

type FoundBy<L> = L extends (sent: ParsedRequest) => infer Given
  ? Awaited<Given> extends Lookup<infer Found>
    ? Exclude<Found, undefined>
    : undefined
  : undefined

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

const NO_QUERY = strictObject({})

type InputReader = (
  request: Request,
  params: Record<string, string>,
  connection: Connection,
) => Promise<Input<Contract> | Response>

export function createInputReader({ params, query, body, resolve }: Contract): InputReader {
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
    const { pathname, searchParams } = new URL(request.url)
    const path = collect(checkParams?.(Object.entries(pathValues)) ?? succeed({}))
    const hint = faults.length > 0 ? didYouMean(addressOfAlias(request.method, pathname)) : ''
    for (const fault of faults) fault.message += hint
    const parameters = collect(checkQuery(searchParams))
    let content: unknown
    let sentBody: unknown
    if (body?.kind === 'json' && body.form && isForm(request)) {
      const wrongType = checkMediaType(request, ['multipart/form-data'])
      if (wrongType) return problemResponse(wrongType)
    } else if (body?.kind === 'json' && checkBody) {
      const accepted = body.form ? ['application/json', 'multipart/form-data'] : ['application/json']
      const json = await readJsonBody(request, connection, { optional: body.optional === true, accepted })
      if (!json.ok) return problemResponse(json.failure)
      if (json.value !== undefined) {
        sentBody = json.value
        content = collect(checkBody(json.value))
        const known = new Set(faults.map(({ path }) => path))
        faults.push(...(body.validate?.(json.value) ?? []).filter((fault) => !known.has(fault.path)))
      }
    } else if (body?.kind === 'form') {
      const accepted = ['multipart/form-data', ...(body.raw?.mediaTypes ?? [])]
      const wrongType = checkMediaType(request, accepted)
      if (wrongType) return problemResponse(wrongType)
    } else if (body?.kind === 'text') {
      const { maxBytes } = body
      const read = await readTextBody(request, connection, { accepted: Object.keys(body.forms), maxBytes })
      if (!read.ok) return problemResponse(read.failure)
      content = read.value
    } else {
      connection.requestIsWhole()
    }
    const lookup = await resolve?.({
      request,
      path: (path ?? {}) as Record<string, unknown>,
      query: (parameters ?? validValues(checkQuery, searchParams, faults)) as Record<string, unknown>,
      body: validKeys(sentBody, faults),
      json: sentBody,
      faulty: invalidNames(faults, 'body'),
      isRefused: faults.length > 0,
    })
    const { problems, found } = withProblems(lookup ?? [])
    const refusal = mergeProblems([faults.length > 0 ? invalidRequest(faults) : null, ...problems])
    if (refusal !== null && isUnprocessable(refusal)) return problemResponse(refusal)
    return { params: path, query: parameters, body: content, found, connection } as Input<Contract>
  }
}

const withProblems = (lookup: Lookup | Lookup['problems']): Lookup =>
  'problems' in lookup ? lookup : { problems: lookup }

/** The valid parameters of a query. */
function validValues(
  check: ReturnType<typeof createTextChecker>,
  values: TextValues,
  faults: readonly Fault[],
): Record<string, unknown> {
  const faulty = invalidNames(faults, 'query')
  const checked = check([...values].filter(([name]) => !faulty.has(name)))
  return checked.ok ? (checked.value as Record<string, unknown>) : {}
}

/** A JSON body, as the content of a response. */
export const jsonContent = (schema: TSchema, example: unknown): Record<string, Representation> => ({
  'application/json': { schema, example },
})

/** The responses of a route that answers 200 or a problem. */
export const ok = (description: string, content: Record<string, Representation>) => ({
  200: { description, content },
})

const MessageSchema = strictObject({ message: Type.String() }, { $id: 'Message' })

export const messageContent = (example: string) => jsonContent(MessageSchema, { message: example })
