// POST /captures/{id}/trash and /restore: a deletion that can be undone.
// Deletion for good is DELETE, in delete.ts; emptying the trash after some days is retention.

import type { Capture } from '../../captures/capture.ts'
import type { Captures } from '../../captures/captures.ts'
import { captureNotFound } from '../../captures/not-found.ts'
import { failureResponse } from '../contract/failure.ts'
import { defineRoute, type Route } from '../contract/route.ts'
import { captureParams } from './address.ts'
import { CaptureDetailSchema, captureExample, segmentExample, wireCaptureDetail } from './schema.ts'

export const captureTrashRoutes = (captures: Captures): Route[] => [
  moveRoute({
    to: 'trash',
    operationId: 'trashCapture',
    summary: 'Put a capture into the trash',
    description:
      'It is in no list, search or statistic from then on, unless one asks for `trashed=true`, and is deleted after `trash_days`. Work on it is cancelled. One that is in the trash already stays as it is.',
    example: { ...captureExample, trashed_at: captureExample.updated_at },
    move: (id) => captures.trash(id),
  }),
  moveRoute({
    to: 'restore',
    operationId: 'restoreCapture',
    summary: 'Take a capture out of the trash',
    description:
      'It is as it was before. One that went into the trash before it was transcribed is transcribed now. One that is not in the trash stays as it is.',
    example: captureExample,
    move: (id) => captures.restore(id),
  }),
]

type Move = {
  to: 'trash' | 'restore'
  operationId: string
  summary: string
  description: string
  example: typeof captureExample
  move: (id: string) => Promise<Capture | null>
}

const moveRoute = ({ to, example, move, ...described }: Move) =>
  defineRoute(
    {
      ...described,
      method: 'POST',
      path: `/captures/{id}/${to}`,
      tag: 'captures',
      params: captureParams,
      responses: {
        200: {
          description: 'The capture after the change',
          content: {
            'application/json': {
              schema: CaptureDetailSchema,
              example: { ...example, segments: [segmentExample] },
            },
          },
        },
      },
      problems: ['capture_not_found', 'disk_full'],
    },
    async (_request, { params }) => {
      const capture = await move(params.id)
      return capture === null
        ? failureResponse(captureNotFound(params.id))
        : Response.json(wireCaptureDetail(capture))
    },
  )
