import { type Static, Type } from '@sinclair/typebox'
import {
  type Capture,
  type CapturePatch,
  captureNotFound,
  changedMeanwhile,
  CapturePatchSchema as Patch,
} from '../../captures/capture.ts'
import { CAPTURE_SORTS } from '../../captures/capture-index.ts'
import type { Captures } from '../../captures/captures.ts'
import { nullable, oneOf, uuid } from '../../lib/schema.ts'
import { wireReader } from '../../lib/schema-mapping.ts'
import type { WritingStyles } from '../../writing/styles.ts'
import { recordedAtFault, recordedAtField, recordedAtOf, styleFault } from '../fields/fields.ts'
import { failureResponse, problemResponse } from '../kernel/problem.ts'
import { defineRoute, jsonContent, messageContent, ok, orFieldErrors, type Route } from '../kernel/route.ts'
import { flag, listOf, pageQuery, strictObject } from '../kernel/schema.ts'
import {
  CaptureDetailSchema,
  captureExample,
  captureFilterFields,
  captureParams,
  etagHeader,
  expectedBy,
  FoundCaptureSchema,
  ifMatchHeader,
  oneCapture,
  readCaptureFilter,
  segmentExample,
  wireCapture,
  wireCaptureDetail,
  withEtag,
} from './schema.ts'
import { tagFaults, tagFields, tooManyTags } from './tags.ts'

export const listCapturesRoute = (captures: Captures) =>
  defineRoute(
    {
      method: 'GET',
      path: '/captures',
      operationId: 'listCaptures',
      summary: 'List and search captures',
      description:
        'Sorted by `recorded_at`, newest first. With `q`, the 250 newest matches come first, best match first, followed by older matches by age. `total` is exact unless `count=false`. A capture must match all filters.',
      tag: 'captures',
      query: strictObject({
        ...captureFilterFields,
        sort: Type.Optional(
          oneOf(CAPTURE_SORTS, { description: 'a leading minus sign sorts in descending order' }),
        ),
        ...pageQuery,
        count: Type.Optional(
          flag({
            description:
              'false skips counting all matches if there is no `q`: `total` then counts up to the end of this page, plus one if more follow',
            default: true,
          }),
        ),
      }),
      resolve: ({ query }) => orFieldErrors(readCaptureFilter(query, { in: 'query', path: '' })),
      responses: ok(
        'One page of captures',
        jsonContent(listOf(FoundCaptureSchema, { $id: 'CaptureList' }), {
          items: [{ ...captureExample, highlight: 'a new <mark>message</mark>' }],
          total: 1,
        }),
      ),
    },
    async (_request, { query: { sort, limit = 50, offset = 0, count: isCounted }, found: meant }) => {
      const { items, total } = await captures.list({ ...meant, sort, limit, offset, isCounted })
      const wire = items.map(({ highlight, ...capture }) => ({ ...wireCapture(capture), highlight }))
      return Response.json({ items: wire, total })
    },
  )

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

export type UpdateDeps = { captures: Captures; styles: Pick<WritingStyles, 'get'> }

const maybe = (maxLength: number, description: string) =>
  Type.Optional(nullable(Type.String({ maxLength }), { description }))

const CapturePatchSchema = strictObject(
  {
    transcript_refined: maybe(1_000_000, 'the text as corrected by hand; null restores the transcript'),
    title: maybe(500, "null restores the default: the file's name or the first words"),
    starred: Type.Optional(Type.Boolean()),
    ...tagFields,
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
        "Changes only the given fields. A different `transcript_refined` stores the earlier state as a version. The server stores at most 50 versions and about 8 MB of them. It removes the oldest first, its own before those that a user wrote, and never the first or the latest. The engine's own text never changes.",
      tag: 'captures',
      params: captureParams,
      body: { kind: 'json', schema: CapturePatchSchema, example: { title: 'The new office', starred: true } },
      resolve: ({ body }) => [
        styleFault(styles, body.writing_style_id, 'body'),
        recordedAtFault(body.recorded_at, 'body'),
        tagFaults(body),
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
      if (capture === 'too_many_tags') return problemResponse(tooManyTags())
      return withEtag(capture, wireCaptureDetail(capture))
    },
  )

const readPatch = wireReader(Patch.properties)

/** `recorded_at` is the only field that differs in type from its wire form. */
function patchOf(body: Static<typeof CapturePatchSchema>): CapturePatch {
  const { recorded_at: recordedAt, add_tags: addTags, remove_tags: removeTags, ...fields } = body
  const patch = { ...readPatch(fields), addTags, removeTags }
  if (recordedAt === undefined) return patch
  return { ...patch, recordedAt: recordedAt === null ? null : recordedAtOf(recordedAt) }
}

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
      responses: ok('The capture is deleted', messageContent(`Capture ${captureExample.id} deleted`)),
      problems: ['capture_not_found', 'disk_full'],
    },
    async (_request, { params }) =>
      (await captures.remove(params.id))
        ? Response.json({ message: `Capture ${params.id} deleted` })
        : failureResponse(captureNotFound(params.id)),
  )

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
      responses: ok('The capture; the cancelled job will not change it', oneCapture),
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
      responses: ok(
        'The capture after the change',
        jsonContent(CaptureDetailSchema, { ...example, segments: [segmentExample] }),
      ),
      problems: ['capture_not_found', 'disk_full'],
    },
    async (_request, { params }) => {
      const capture = await move(params.id)
      return capture === null
        ? failureResponse(captureNotFound(params.id))
        : Response.json(wireCaptureDetail(capture))
    },
  )
