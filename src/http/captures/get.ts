import type { Captures } from '../../captures/captures.ts'
import { captureNotFound } from '../../captures/not-found.ts'
import { failureResponse } from '../contract/failure.ts'
import { defineRoute } from '../contract/route.ts'
import { captureParams, oneCapture } from './address.ts'
import { etagHeader, withEtag } from './revision.ts'
import { wireCaptureDetail } from './schema.ts'

export const getCaptureRoute = (captures: Captures) =>
  defineRoute(
    {
      method: 'GET',
      path: '/captures/{id}',
      operationId: 'getCapture',
      summary: 'Get one capture',
      description: 'Includes the segments and their words.',
      tag: 'captures',
      params: captureParams,
      responses: { 200: { description: 'The capture', content: oneCapture, headers: etagHeader } },
      problems: ['capture_not_found'],
    },
    async (_request, { params }) => {
      const capture = await captures.get(params.id)
      return capture === null
        ? failureResponse(captureNotFound(params.id))
        : withEtag(capture, wireCaptureDetail(capture))
    },
  )
