import { captureNotFound } from '../../captures/capture.ts'
import type { Captures } from '../../captures/captures.ts'
import { uuid } from '../../lib/schema.ts'
import type { Warning } from '../../lib/warning.ts'
import { failureResponse } from '../kernel/problem.ts'
import { defineRoute, jsonContent, ok, type Route } from '../kernel/route.ts'
import { listOf, strictObject, text, wholeNumber } from '../kernel/schema.ts'
import {
  CaptureVersionWireSchema,
  captureExample,
  captureParams,
  etagHeader,
  expectedBy,
  ifMatchHeader,
  oneCapture,
  RetranscribedCaptureSchema,
  segmentExample,
  wireCaptureDetail,
  wireCaptureVersion,
  withEtag,
} from './schema.ts'

export const captureVersionsRoute = (captures: Captures) =>
  defineRoute(
    {
      method: 'GET',
      path: '/captures/{id}/versions',
      operationId: 'listCaptureVersions',
      summary: 'List earlier transcripts',
      description:
        'Oldest first; the current transcript is in the capture itself. At most 50 versions and about 8 MB of them are stored; the first and the latest are never removed. The numbers of removed versions are not reused.',
      tag: 'captures',
      params: captureParams,
      responses: ok(
        'The replaced transcripts',
        jsonContent(listOf(CaptureVersionWireSchema, { $id: 'CaptureVersionList' }), { items: [], total: 0 }),
      ),
      problems: ['capture_not_found'],
    },
    async (_request, { params }) => {
      const versions = await captures.versions(params.id)
      if (versions === null) return failureResponse(captureNotFound(params.id))
      return Response.json({ items: versions.map(wireCaptureVersion), total: versions.length })
    },
  )

export const restoreVersionRoute = (captures: Captures): Route =>
  defineRoute(
    {
      method: 'POST',
      path: '/captures/{id}/versions/{n}/restore',
      operationId: 'restoreCaptureVersion',
      summary: 'Restore an earlier transcript',
      description:
        'Replaces the current texts and segments with those of the version. The replaced ones become a version themselves. The recording, the title and everything else stay unchanged.',
      tag: 'captures',
      params: strictObject({
        id: uuid({ description: 'ID of the capture' }),
        n: wholeNumber({ description: 'the version’s `number`', minimum: 1, maximum: 1_000_000 }),
      }),
      responses: {
        200: { description: 'The capture as it is now', content: oneCapture, headers: etagHeader },
      },
      problems: ['capture_not_found', 'version_not_found', 'capture_busy', 'disk_full'],
    },
    async (_request, { params }) => {
      const restored = await captures.restoreVersion(params.id, params.n)
      return restored.ok
        ? withEtag(restored.value, wireCaptureDetail(restored.value))
        : failureResponse(restored.failure)
    },
  )

const SegmentPatchSchema = strictObject(
  {
    text: text({
      description:
        'the words that were really spoken; empty if there were none. Leading and trailing whitespace is ignored',
      maxLength: 10_000,
    }),
  },
  { $id: 'SegmentPatch' },
)

const STALE: Warning = {
  code: 'refined_text_is_older',
  message:
    'The corrected words do not occur in the refined text, so it was left unchanged. Refine the capture again to update it (POST /captures/{id}/refine).',
}

export const segmentRoute = (captures: Captures): Route =>
  defineRoute(
    {
      method: 'PATCH',
      path: '/captures/{id}/segments/{n}',
      operationId: 'correctSegment',
      summary: 'Correct a segment of the transcript',
      description:
        "Unchanged words keep their times; new words take the times of the words they replace. The whole transcript is updated, and the refined text too if the words occur in it (otherwise a warning is returned). The earlier state becomes a version. The engine's own text never changes.",
      tag: 'captures',
      params: strictObject({
        id: uuid({ description: 'ID of the capture' }),
        n: wholeNumber({ description: 'the segment’s `id`', minimum: 0, maximum: 1_000_000 }),
      }),
      body: {
        kind: 'json',
        schema: SegmentPatchSchema,
        example: { text: 'There is a new message from your office.' },
      },
      headers: ifMatchHeader,
      responses: {
        200: {
          description: 'The capture after the correction',
          headers: etagHeader,
          content: jsonContent(RetranscribedCaptureSchema, {
            ...captureExample,
            segments: [segmentExample],
            warnings: [STALE],
          }),
        },
      },
      problems: [
        'capture_not_found',
        'segment_not_found',
        'capture_busy',
        'precondition_failed',
        'disk_full',
      ],
    },
    async (request, { params, body }) => {
      const isExpected = expectedBy(request)
      const corrected = await captures.correctSegment(params.id, {
        number: params.n,
        text: body.text,
        isExpected,
      })
      if (!corrected.ok) return failureResponse(corrected.failure)
      const { capture, refinedIsOlder } = corrected.value
      return withEtag(capture, { ...wireCaptureDetail(capture), warnings: refinedIsOlder ? [STALE] : [] })
    },
  )
