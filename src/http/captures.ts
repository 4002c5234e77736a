// GET /captures and GET, PATCH, DELETE /captures/{id}.
// Taking recordings in is capture-create.ts; work on them is capture-work.ts.

import { type Static, Type } from '@sinclair/typebox'
import type { Captures } from '../captures/captures.ts'
import { CAPTURE_SORTS } from '../captures/list-captures.ts'
import type { WritingStyles } from '../writing/styles.ts'
import { captureFilterFields, readCaptureFilter } from './capture-filter.ts'
import {
  CaptureDetailSchema,
  captureExample,
  FoundCaptureSchema,
  segmentExample,
  wireCapture,
  wireCaptureDetail,
} from './capture-schema.ts'
import { invalidRequest, type Problem, problemResponse } from './problem.ts'
import { defineRoute, type Route } from './route.ts'
import { listOf, nullable, oneOf, pageQuery, strictObject, uuid } from './schema.ts'
import { styleFault } from './style-field.ts'

export const captureParams = strictObject({ id: uuid({ description: 'of the capture' }) })

export const captureNotFound = (id: string): Problem => ({
  code: 'capture_not_found',
  detail: `There is no capture ${id}.`,
})

export type CapturesDeps = { captures: Captures; styles: Pick<WritingStyles, 'get'> }

export const captureRoutes = ({ captures, styles }: CapturesDeps): Route[] => [
  listRoute(captures),
  getRoute(captures),
  patchRoute(captures, styles),
  deleteRoute(captures),
]

const listRoute = (captures: Captures) =>
  defineRoute(
    {
      method: 'GET',
      path: '/captures',
      operationId: 'listCaptures',
      summary: 'List and search captures',
      description:
        'Newest first, or the best matches first when `q` is given: of the 250 newest matches, and then the older ones by age. `total` is exact. Filters narrow the list together.',
      tag: 'captures',
      query: strictObject({
        ...captureFilterFields,
        sort: Type.Optional(oneOf(CAPTURE_SORTS, { description: 'a minus sign is descending' })),
        ...pageQuery,
      }),
      lookUp: ({ query }) => {
        const filter = readCaptureFilter(query, { in: 'query', path: '' })
        return [filter.ok ? null : invalidRequest(filter.failure)]
      },
      responses: {
        200: {
          description: 'One page of captures',
          content: {
            'application/json': {
              schema: listOf(FoundCaptureSchema, { $id: 'CaptureList' }),
              example: { items: [{ ...captureExample, highlight: 'a new <mark>message</mark>' }], total: 1 },
            },
          },
        },
      },
    },
    async (_request, { query }) => {
      const { sort, limit = 50, offset = 0, ...wanted } = query
      const filter = readCaptureFilter(wanted, { in: 'query', path: '' })
      if (!filter.ok) return problemResponse(invalidRequest(filter.failure))
      const { items, total } = await captures.list({ ...filter.value, sort, limit, offset })
      const wire = items.map(({ highlight, ...capture }) => ({ ...wireCapture(capture), highlight }))
      return Response.json({ items: wire, total })
    },
  )

const detail = {
  'application/json': {
    schema: CaptureDetailSchema,
    example: { ...captureExample, segments: [segmentExample] } satisfies Static<typeof CaptureDetailSchema>,
  },
}

const getRoute = (captures: Captures) =>
  defineRoute(
    {
      method: 'GET',
      path: '/captures/{id}',
      operationId: 'getCapture',
      summary: 'Get one capture',
      description: 'With its segments and their words.',
      tag: 'captures',
      params: captureParams,
      responses: { 200: { description: 'The capture', content: detail } },
      problems: ['capture_not_found'],
    },
    async (_request, { params }) => {
      const capture = await captures.get(params.id)
      return capture === null
        ? problemResponse(captureNotFound(params.id))
        : Response.json(wireCaptureDetail(capture))
    },
  )

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

const patchRoute = (captures: Captures, styles: CapturesDeps['styles']) =>
  defineRoute(
    {
      method: 'PATCH',
      path: '/captures/{id}',
      operationId: 'updateCapture',
      summary: 'Change a capture',
      description: 'Only what is given changes. What the engine wrote is never altered.',
      tag: 'captures',
      params: captureParams,
      body: { kind: 'json', schema: CapturePatchSchema, example: { title: 'The new office', starred: true } },
      lookUp: ({ body }) => [styleFault(styles, body.writing_style_id, 'body')],
      responses: { 200: { description: 'The capture after the change', content: detail } },
      problems: ['capture_not_found', 'disk_full'],
    },
    async (_request, { params, body }) => {
      const capture = await captures.update(params.id, patchOf(body))
      return capture === null
        ? problemResponse(captureNotFound(params.id))
        : Response.json(wireCaptureDetail(capture))
    },
  )

function patchOf(body: Static<typeof CapturePatchSchema>) {
  const patch = {
    transcriptRefined: body.transcript_refined,
    title: body.title,
    starred: body.starred,
    appName: body.app_name,
    appId: body.app_id,
    appUrl: body.app_url,
    windowTitle: body.window_title,
    writingStyleId: body.writing_style_id,
  }
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
}

const deleteRoute = (captures: Captures) =>
  defineRoute(
    {
      method: 'DELETE',
      path: '/captures/{id}',
      operationId: 'deleteCapture',
      summary: 'Delete a capture',
      description:
        'The recording and its texts are gone at once and for good. Work on it is cancelled first.',
      tag: 'captures',
      params: captureParams,
      responses: {
        200: {
          description: 'It is deleted',
          content: {
            'application/json': {
              schema: strictObject({ message: Type.String() }, { $id: 'Message' }),
              example: { message: `Capture ${captureExample.id} deleted` },
            },
          },
        },
      },
      problems: ['capture_not_found', 'disk_full'],
    },
    async (_request, { params }) =>
      (await captures.remove(params.id))
        ? Response.json({ message: `Capture ${params.id} deleted` })
        : problemResponse(captureNotFound(params.id)),
  )
