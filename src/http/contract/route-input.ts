// Reads and validates the input of a route by its contract, and reports all errors at once.
// Forms and recordings are streamed, so the handler reads them (form.ts).

import { didYouMean } from '../../lib/did-you-mean.ts'
import { type Result, succeed } from '../../lib/result.ts'
import { addressOfAlias } from './address-aliases.ts'
import type { Connection } from './connection.ts'
import { isForm } from './form.ts'
import { createChecker, createTextChecker, type TextValues } from './input.ts'
import { checkMediaType, readJsonBody, readTextBody } from './json-body.ts'
import { invalidNames, isUnprocessable, mergeProblems, validKeys } from './merge-errors.ts'
import { type Fault, invalidRequest, problemResponse } from './problem.ts'
import type { Contract, Input, Lookup } from './route.ts'
import { strictObject } from './schema.ts'

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
    const hint = faults.length > 0 ? didYouMean(addressOfAlias(pathname)) : ''
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
