// What a route declares about itself, and its handler: routing, the check of all input and the document are made of it.
// Does none of the three.

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
  resolve?: (sent: Sent) => Promise<Problems | Looked> | Problems | Looked
  responses: Record<number, ResponseContract>
  /** the codes of its own; those that every route shares are added by the document */
  problems?: readonly ProblemCode[]
  /** answers without a token even where one is demanded of all others */
  open?: boolean
}

type Problems = readonly (Problem | null)[]

/** What is wrong, and what was read or found on the way, for the handler; left out only where a 422 keeps that from being asked. */
export type Looked<Found = unknown> = { problems: Problems; found?: Found | undefined }

/** What a look-up gives that only reads what was sent. */
export const readOrWrong = <T>(read: Result<T, Fault[]>): Looked<T> =>
  read.ok ? { problems: [], found: read.value } : { problems: [invalidRequest(read.failure)] }

/** The parts of a request that the schemas found nothing wrong with. */
export type Sent = {
  request: Request
  path: Record<string, unknown>
  query: Record<string, unknown>
  /** the keys of JSON; nothing of a form, which its own check looks at */
  body: Record<string, unknown>
  /** the body of JSON as it came, whatever is wrong with it */
  json: unknown
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
  /** by the route's own look-up */
  found: FoundBy<C['resolve']>
  connection: Connection
}

type FoundBy<L> = L extends (sent: Sent) => infer Given
  ? Awaited<Given> extends Looked<infer Found>
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
