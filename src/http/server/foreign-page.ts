// What a page of another origin may not do, although it may call: choose where words, keys and models go.
// Which pages may call at all is guard.ts.

import type { Problem } from '../contract/problem.ts'
import { isOwnOrigin, type OwnAddress } from './origins.ts'

type Asked = { request: Request; listening: OwnAddress }

/**
 * The choice would outlast the page, and the trust in it. Null for programs, which send no Origin, and for pages of this
 * server under its own names.
 * @param deed what it would do, behind "cannot"
 */
export function foreignPageRefused({ request, listening }: Asked, deed: string): Problem | null {
  const origin = request.headers.get('origin')
  if (origin === null || isOwnOrigin(origin, listening)) return null
  return {
    code: 'origin_not_allowed',
    detail: `A web page of another origin cannot ${deed}; a program or this server's own page can.`,
  }
}
