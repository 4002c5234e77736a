// What is said where no route answers: an address that is none, or a method that it does not take.
// Which routes an address has is route-table.ts.

import { asSentence, didYouMean } from '../../lib/did-you-mean.ts'
import type { Problem } from '../contract/problem.ts'
import { nearestAddress } from './nearest-address.ts'
import { routePath } from './route-path.ts'
import type { RouteTable } from './route-table.ts'

export function noRoute(request: Request, table: RouteTable): Problem {
  const path = routePath(request)
  const taken = table.at(path)
  if (taken.length > 0) return methodNotAllowed(request, taken)
  const detail = `Nothing is served at this address${didYouMean(nearestAddress(path, table.addresses))}`
  return { code: 'no_such_route', detail: `${asSentence(detail)} GET /docs lists what is.` }
}

/** `taken` are the routes of the address. */
export function methodNotAllowed(request: Request, taken: ReturnType<RouteTable['at']>): Problem {
  const methods = new Set(taken.map(({ method }) => method))
  if (methods.has('GET')) methods.add('HEAD')
  const allow = [...methods].sort().join(', ')
  return {
    code: 'method_not_allowed',
    detail: `This address takes ${allow}, not ${request.method}.`,
    headers: { allow },
  }
}
