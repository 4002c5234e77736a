// The ETag of a capture, which is its revision, and changes that are only meant for that one (RFC 9110, If-Match).
// Comparing and changing in one turn is captures/'s.

import type { Capture } from '../../captures/capture.ts'
import type { IsExpected } from '../../captures/changed-meanwhile.ts'
import { matchesEtag } from '../server/file-response.ts'

const etagOf = ({ revision }: Pick<Capture, 'revision'>): string => `"${revision}"`

/** For the document, of an answer with a capture. */
export const etagHeader = { ETag: 'the revision of the capture, to be sent back in `If-Match`' }

/** For the document, of a request that changes one. */
export const ifMatchHeader = {
  'If-Match':
    'the `ETag` of the capture as the client knows it; 412 where it was changed meanwhile. Without it the last change counts.',
}

export const expectedBy = (request: Request): IsExpected => {
  const wanted = request.headers.get('if-match')
  return (capture) => wanted === null || matchesEtag(wanted, etagOf(capture))
}

/** @param body the capture on the wire, and what is told besides */
export const withEtag = (capture: Pick<Capture, 'revision'>, body: object): Response =>
  Response.json(body, { headers: { etag: etagOf(capture) } })
