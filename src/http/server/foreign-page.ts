// Restricts pages of allowed foreign origins: they must not change where texts, keys and models go.

import type { Problem } from '../contract/problem.ts'
import { isOwnOrigin, type OwnAddress } from './origins.ts'

type Asked = { request: Request; listening: OwnAddress }

/**
 * Such a change would outlast the page and the user's trust in it. Null for programs, which send no Origin, and for the
 * server's own pages.
 * @param deed the forbidden action, following "cannot"
 */
export function foreignPageRefused({ request, listening }: Asked, deed: string): Problem | null {
  const origin = request.headers.get('origin')
  if (origin === null || isOwnOrigin(origin, listening)) return null
  return {
    code: 'origin_not_allowed',
    detail: `A web page of another origin cannot ${deed}; a program or this server's own page can.`,
  }
}
