// POST /captures/{id}/versions/{n}/restore: an earlier transcript in the place of the present one.
// What that leaves behind is src/captures/restore-version.ts.

import type { Captures } from '../../captures/captures.ts'
import { uuid } from '../../lib/schema.ts'
import { failureResponse } from '../contract/failure.ts'
import { defineRoute, type Route } from '../contract/route.ts'
import { strictObject, wholeNumber } from '../contract/schema.ts'
import { oneCapture } from './address.ts'
import { etagHeader, withEtag } from './revision.ts'
import { wireCaptureDetail } from './schema.ts'

export const restoreVersionRoute = (captures: Captures): Route =>
  defineRoute(
    {
      method: 'POST',
      path: '/captures/{id}/versions/{n}/restore',
      operationId: 'restoreCaptureVersion',
      summary: 'Bring an earlier transcript back',
      description:
        'Its texts and segments in the place of the present ones, which become a version in their turn. The recording, the title and all else stay.',
      tag: 'captures',
      params: strictObject({
        id: uuid({ description: 'of the capture' }),
        n: wholeNumber({ description: 'the version’s `number`', minimum: 1, maximum: 1_000_000 }),
      }),
      responses: {
        200: { description: 'The capture as it is now', content: oneCapture, headers: etagHeader },
      },
      problems: ['capture_not_found', 'version_not_found', 'capture_busy', 'disk_full'],
    },
    async (_request, { params }) => {
      const restored = await captures.restoreVersion(params.id, params.n)
      return restored.ok
        ? withEtag(restored.value, wireCaptureDetail(restored.value))
        : failureResponse(restored.failure)
    },
  )
