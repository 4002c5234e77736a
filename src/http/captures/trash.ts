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
    summary: 'Move a capture to the trash',
    description:
      'Lists, searches and statistics then omit the capture unless `trashed=true` is given. The server deletes it after `trash_days`. A waiting or running job is cancelled. A capture that is already in the trash stays unchanged.',
    example: { ...captureExample, trashed_at: captureExample.updated_at },
    move: (id) => captures.trash(id),
  }),
  moveRoute({
    to: 'restore',
    operationId: 'restoreCapture',
    summary: 'Restore a capture from the trash',
    description:
      'Restores the capture as it was. A capture that was moved to the trash before it was transcribed is transcribed now. A capture that is not in the trash stays unchanged.',
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
