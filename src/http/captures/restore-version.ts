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
      summary: 'Restore an earlier transcript',
      description:
        'Replaces the current texts and segments with those of the version. The replaced ones become a version themselves. The recording, the title and everything else stay unchanged.',
      tag: 'captures',
      params: strictObject({
        id: uuid({ description: 'ID of the capture' }),
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
