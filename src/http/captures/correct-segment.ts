// PATCH /captures/{id}/segments/{n}: a correction by hand of what was heard.
// What it does to times and texts is src/captures/correct-segment.ts.

import type { Captures } from '../../captures/captures.ts'
import { uuid } from '../../lib/schema.ts'
import type { Warning } from '../../lib/warning.ts'
import { failureResponse } from '../contract/failure.ts'
import { defineRoute, type Route } from '../contract/route.ts'
import { strictObject, text, wholeNumber } from '../contract/schema.ts'
import { etagHeader, expectedBy, ifMatchHeader, withEtag } from './revision.ts'
import { captureExample, RetranscribedCaptureSchema, segmentExample, wireCaptureDetail } from './schema.ts'

const SegmentPatchSchema = strictObject(
  {
    text: text({
      description: 'what was really said; empty where nothing was. Blanks around it do not count',
      maxLength: 10_000,
    }),
  },
  { $id: 'SegmentPatch' },
)

const STALE: Warning = {
  code: 'refined_text_is_older',
  message:
    'The corrected words are not in the refined text, which stays as it was. POST /captures/{id}/refine makes it anew.',
}

export const segmentRoute = (captures: Captures): Route =>
  defineRoute(
    {
      method: 'PATCH',
      path: '/captures/{id}/segments/{n}',
      operationId: 'correctSegment',
      summary: 'Correct what was heard',
      description:
        "Words that stay keep their times, new ones take those of what they replace. The whole text follows, and the refined one where the words are found in it (else a warning says so). The earlier state becomes a version; the engine's own text is never altered.",
      tag: 'captures',
      params: strictObject({
        id: uuid({ description: 'of the capture' }),
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
          content: {
            'application/json': {
              schema: RetranscribedCaptureSchema,
              example: { ...captureExample, segments: [segmentExample], warnings: [STALE] },
            },
          },
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
