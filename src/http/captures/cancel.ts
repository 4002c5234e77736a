import type { Captures } from '../../captures/captures.ts'
import { captureNotFound } from '../../captures/not-found.ts'
import { failureResponse } from '../contract/failure.ts'
import { problemResponse } from '../contract/problem.ts'
import { defineRoute } from '../contract/route.ts'
import { captureParams, oneCapture } from './address.ts'
import { wireCaptureDetail } from './schema.ts'

export const cancelCaptureRoute = (captures: Captures) =>
  defineRoute(
    {
      method: 'POST',
      path: '/captures/{id}/cancel',
      operationId: 'cancelCapture',
      summary: 'Cancel the work on a capture',
      description: 'Stops the waiting or running job. The recording and any earlier transcript are kept.',
      tag: 'captures',
      params: captureParams,
      responses: {
        200: { description: 'The capture; the cancelled job will not change it', content: oneCapture },
      },
      problems: ['capture_not_found', 'capture_not_busy', 'disk_full'],
    },
    async (_request, { params }) => {
      const cancelled = await captures.cancel(params.id)
      const capture = await captures.get(params.id)
      if (capture === null) return failureResponse(captureNotFound(params.id))
      if (cancelled !== null) return Response.json(wireCaptureDetail(capture))
      const detail = 'No job is waiting or running for this capture.'
      return problemResponse({ code: 'capture_not_busy', detail })
    },
  )
