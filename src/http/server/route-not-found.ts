// Problems for requests without a route: an unknown address, or a method that the address does not allow.

import { asSentence, didYouMean } from '../../lib/did-you-mean.ts'
import type { Problem } from '../contract/problem.ts'
import { nearestAddress } from './nearest-address.ts'
import { routePath } from './route-path.ts'
import type { RouteTable } from './route-table.ts'

export function routeNotFound(request: Request, table: RouteTable): Problem {
  const path = routePath(request)
  const taken = table.at(path)
  if (taken.length > 0) return methodNotAllowed(request, taken)
  const detail = `Nothing is served at this address${didYouMean(nearestAddress(path, table.addresses))}`
  return { code: 'no_such_route', detail: `${asSentence(detail)} See GET /docs for all addresses.` }
}

/** @param taken the routes of the address */
export function methodNotAllowed(request: Request, taken: ReturnType<RouteTable['at']>): Problem {
  const methods = new Set(taken.map(({ method }) => method))
  if (methods.has('GET')) methods.add('HEAD')
  const allow = [...methods].sort().join(', ')
  return {
    code: 'method_not_allowed',
    detail: `This address allows ${allow}, not ${request.method}.`,
    headers: { allow },
  }
}
