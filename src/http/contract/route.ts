// The contract of a route and its handler. Routing, input validation and the OpenAPI document are derived from it.

import type { Static, TObject, TSchema } from '@sinclair/typebox'
import type { Result } from '../../lib/result.ts'
import type { Connection } from './connection.ts'
import { type Fault, invalidRequest, type Problem, type ProblemCode } from './problem.ts'

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
