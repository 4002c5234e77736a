// ETag and If-Match of a capture (RFC 9110); its revision is the ETag.

import type { Capture } from '../../captures/capture.ts'
import type { IsExpected } from '../../captures/changed-meanwhile.ts'
import { matchesEtag } from '../server/file-response.ts'

const etagOf = ({ revision }: Pick<Capture, 'revision'>): string => `"${revision}"`

/** OpenAPI description for responses with a capture. */
export const etagHeader = { ETag: 'revision of the capture, to be sent back in `If-Match`' }

/** OpenAPI description for requests that change a capture. */
export const ifMatchHeader = {
  'If-Match':
    'the `ETag` that the client last received; returns 412 if the capture has changed since. Without it, the last change wins.',
}

export const expectedBy = (request: Request): IsExpected => {
  const wanted = request.headers.get('if-match')
  return (capture) => wanted === null || matchesEtag(wanted, etagOf(capture))
}

/** @param body the capture in its wire form, possibly with further fields */
export const withEtag = (capture: Pick<Capture, 'revision'>, body: object): Response =>
  Response.json(body, { headers: { etag: etagOf(capture) } })
