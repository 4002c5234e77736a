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
    transcript_refined: maybe(1_000_000, 'the text as corrected by hand; null restores the transcript'),
    title: maybe(500, "null restores the default: the file's name or the first words"),
    starred: Type.Optional(Type.Boolean()),
    recorded_at: Type.Optional(
      Type.Union([...recordedAtField.anyOf, Type.Null()], {
        description: `${recordedAtField.description}; null restores that default`,
      }),
    ),
    app_name: maybe(500, 'name of the application that received the dictation'),
    app_id: maybe(500, 'identifier of the application'),
    app_url: maybe(4000, 'URL of the web page'),
    window_title: maybe(1000, 'title of the window'),
    writing_style_id: Type.Optional(
      nullable(uuid(), { description: 'style for future refinements; null: the style that matches' }),
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
        "Changes only the given fields. A different `transcript_refined` stores the earlier state as a version. Besides the first and the latest version, the server stores up to 50 versions or 8 MB. It removes the oldest first, and its own before those that a user wrote. The engine's own text never changes.",
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

/** `recorded_at` is the only field that differs in type from its wire form. */
function patchOf({ recorded_at: recordedAt, ...body }: Static<typeof CapturePatchSchema>): CapturePatch {
  if (recordedAt === undefined) return readPatch(body)
  return { ...readPatch(body), recordedAt: recordedAt === null ? null : recordedAtOf(recordedAt) }
}
