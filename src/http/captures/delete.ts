import type { Captures } from '../../captures/captures.ts'
import { captureNotFound } from '../../captures/not-found.ts'
import { failureResponse } from '../contract/failure.ts'
import { messageContent } from '../contract/message.ts'
import { defineRoute } from '../contract/route.ts'
import { captureParams } from './address.ts'
import { captureExample } from './schema.ts'

export const deleteCaptureRoute = (captures: Captures) =>
  defineRoute(
    {
      method: 'DELETE',
      path: '/captures/{id}',
      operationId: 'deleteCapture',
      summary: 'Delete a capture',
      description:
        'Permanently deletes the recording and its texts. A waiting or running job is cancelled first.',
      tag: 'captures',
      params: captureParams,
      responses: {
        200: {
          description: 'The capture is deleted',
          content: messageContent(`Capture ${captureExample.id} deleted`),
        },
      },
      problems: ['capture_not_found', 'disk_full'],
    },
    async (_request, { params }) =>
      (await captures.remove(params.id))
        ? Response.json({ message: `Capture ${params.id} deleted` })
        : failureResponse(captureNotFound(params.id)),
  )
