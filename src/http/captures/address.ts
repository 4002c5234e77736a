import type { Static } from '@sinclair/typebox'
import { uuid } from '../../lib/schema.ts'
import { strictObject } from '../contract/schema.ts'
import { CaptureDetailSchema, captureExample, segmentExample } from './schema.ts'

export const captureParams = strictObject({ id: uuid({ description: 'ID of the capture' }) })

export const oneCapture = {
  'application/json': {
    schema: CaptureDetailSchema,
    example: { ...captureExample, segments: [segmentExample] } satisfies Static<typeof CaptureDetailSchema>,
  },
}
