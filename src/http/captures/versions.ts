import type { Captures } from '../../captures/captures.ts'
import { captureNotFound } from '../../captures/not-found.ts'
import { failureResponse } from '../contract/failure.ts'
import { defineRoute } from '../contract/route.ts'
import { listOf } from '../contract/schema.ts'
import { captureParams } from './address.ts'
import { CaptureVersionWireSchema, wireCaptureVersion } from './schema.ts'

export const captureVersionsRoute = (captures: Captures) =>
  defineRoute(
    {
      method: 'GET',
      path: '/captures/{id}/versions',
      operationId: 'listCaptureVersions',
      summary: 'List earlier transcripts',
      description:
        'Oldest first; the current transcript is in the capture itself. At most 50 versions or 8 MB are stored besides the first and the latest one. The numbers of removed versions are not reused.',
      tag: 'captures',
      params: captureParams,
      responses: {
        200: {
          description: 'The replaced transcripts',
          content: {
            'application/json': {
              schema: listOf(CaptureVersionWireSchema, { $id: 'CaptureVersionList' }),
              example: { items: [], total: 0 },
            },
          },
        },
      },
      problems: ['capture_not_found'],
    },
    async (_request, { params }) => {
      const versions = await captures.versions(params.id)
      if (versions === null) return failureResponse(captureNotFound(params.id))
      return Response.json({ items: versions.map(wireCaptureVersion), total: versions.length })
    },
  )
