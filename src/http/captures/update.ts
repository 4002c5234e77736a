// PATCH /captures/{id}: what a person changes by hand.
// A single segment is corrected by correct-segment.ts.

import { type Static, Type } from '@sinclair/typebox'
import { type CapturePatch, CapturePatchSchema as Patch } from '../../captures/capture.ts'
import type { Captures } from '../../captures/captures.ts'
import { changedMeanwhile } from '../../captures/changed-meanwhile.ts'
import { captureNotFound } from '../../captures/not-found.ts'
import { nullable, uuid } from '../../lib/schema.ts'
import { wireReader } from '../../lib/schema-mapping.ts'
import type { WritingStyles } from '../../writing/styles.ts'
import { failureResponse } from '../contract/failure.ts'
import { defineRoute } from '../contract/route.ts'
import { strictObject } from '../contract/schema.ts'
import { recordedAtFault, recordedAtField, recordedAtOf } from '../fields/recorded-at.ts'
import { styleFault } from '../fields/style.ts'
import { captureParams, oneCapture } from './address.ts'
import { etagHeader, expectedBy, ifMatchHeader, withEtag } from './revision.ts'
import { wireCaptureDetail } from './schema.ts'

export type UpdateDeps = { captures: Captures; styles: Pick<WritingStyles, 'get'> }

const maybe = (maxLength: number, description: string) =>
  Type.Optional(nullable(Type.String({ maxLength }), { description }))

const CapturePatchSchema = strictObject(
  {
    transcript_refined: maybe(
      1_000_000,
      'the text as corrected by hand; null goes back to what was understood',
    ),
    title: maybe(500, "null goes back to the file's name or the first words"),
    starred: Type.Optional(Type.Boolean()),
    recorded_at: Type.Optional(
      Type.Union([...recordedAtField.anyOf, Type.Null()], {
        description: `${recordedAtField.description}; null goes back to that`,
      }),
    ),
    app_name: maybe(500, 'the application it was spoken into'),
    app_id: maybe(500, 'its identifier'),
    app_url: maybe(4000, 'the address of the page'),
    window_title: maybe(1000, 'the title of the window'),
    writing_style_id: Type.Optional(
      nullable(uuid(), { description: 'by which it is refined from now on; null: one that matches' }),
    ),
  },
  { $id: 'CapturePatch', minProperties: 1 },
)

export const updateCaptureRoute = ({ captures, styles }: UpdateDeps) =>
  defineRoute(
    {
      method: 'PATCH',
      path: '/captures/{id}',
      operationId: 'updateCapture',
      summary: 'Change a capture',
      description:
        'Only what is given changes. A `transcript_refined` that is another one leaves the earlier state as a version; 50 of them are stored, or 8 MB, beside the first and the latest one: those that the server wrote are removed before those that a person wrote, the oldest first. What the engine wrote is never altered.',
      tag: 'captures',
      params: captureParams,
      body: { kind: 'json', schema: CapturePatchSchema, example: { title: 'The new office', starred: true } },
      resolve: ({ body }) => [
        styleFault(styles, body.writing_style_id, 'body'),
        recordedAtFault(body.recorded_at, 'body'),
      ],
      headers: ifMatchHeader,
      responses: {
        200: { description: 'The capture after the change', content: oneCapture, headers: etagHeader },
      },
      problems: ['capture_not_found', 'precondition_failed', 'disk_full'],
    },
    async (request, { params, body }) => {
      const capture = await captures.update(params.id, patchOf(body), expectedBy(request))
      if (capture === null) return failureResponse(captureNotFound(params.id))
      if (capture === 'changed') return failureResponse(changedMeanwhile(params.id))
      return withEtag(capture, wireCaptureDetail(capture))
    },
  )

const readPatch = wireReader(Patch.properties)

/** A moment is the one part that is another thing inside than on the wire. */
function patchOf({ recorded_at: recordedAt, ...body }: Static<typeof CapturePatchSchema>): CapturePatch {
  if (recordedAt === undefined) return readPatch(body)
  return { ...readPatch(body), recordedAt: recordedAt === null ? null : recordedAtOf(recordedAt) }
}
