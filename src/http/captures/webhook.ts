// Describes the webhook request in the OpenAPI document.

import type { Static } from '@sinclair/typebox'
import { ANNOUNCED_EVENTS } from '../../captures/capture.ts'
import { nullable, oneOf, uuid } from '../../lib/schema.ts'
import type { Webhook } from '../kernel/connection.ts'
import { dateTime, type Json, type JsonObject, strictObject } from '../kernel/schema.ts'
import { CaptureWireSchema, captureExample } from './schema.ts'

const DeliverySchema = strictObject(
  {
    id: uuid({ description: 'ID of the delivery; the same at every attempt' }),
    event: oneOf(ANNOUNCED_EVENTS),
    created_at: dateTime({ description: 'time of the event' }),
    capture_id: uuid(),
    capture: nullable(CaptureWireSchema, {
      description: 'the capture at the time of sending; null if it is deleted',
    }),
  },
  { $id: 'WebhookDelivery' },
)

const example: Static<typeof DeliverySchema> = {
  id: '019ab1c2-7c3e-7d41-9a4e-3f6f0d1f9c13',
  event: 'capture.completed',
  created_at: captureExample.created_at,
  capture_id: captureExample.id,
  capture: captureExample,
}

const DESCRIPTION = `Sent to the address in the setting \`webhook_url\`, and to no other: redirects are not followed.

- \`capture.completed\`: a transcription has finished, with its refinement if one was requested; also after a retranscription;
- \`capture.refined\`: a refinement that was requested later has finished;
- \`capture.failed\`: the transcription failed and the capture has no transcript;
- \`capture.deleted\`: the capture was permanently deleted, by the user or by retention.

Any 2xx within 10 seconds acknowledges the delivery; 410 rejects this delivery permanently. The response body is not
read. After any other response the server retries, up to 20 times within about half a day, also after a restart.
Deliveries may arrive out of order and, rarely, twice. If \`webhook_url\` is changed, pending deliveries go to the new
address; if it is set to null, they are dropped. Events that occur while it is null are not delivered. If a capture is
deleted before its delivery succeeds, only the deletion is delivered.

The signature proves the origin: \`t=<seconds since 1970>,v1=<hex>\`, where \`v1\` is the HMAC-SHA256 of the time, a full
stop and the body as sent. The key is created at the first delivery. It is \`webhookKey\` in \`library.json\` in the data
folder, which only its owner may read, and no request returns it.`

const header = (name: string, description: string): JsonObject => ({
  name,
  description,
  in: 'header',
  required: true,
  schema: { type: 'string' },
})

export const captureWebhook: Webhook = {
  name: 'capture',
  describe: (hoist) => ({
    post: {
      operationId: 'captureWebhook',
      summary: 'Something happened to a capture',
      description: DESCRIPTION,
      tags: ['captures'],
      security: [],
      parameters: [
        header('X-Dictation-Signature', 'proves the origin of the delivery'),
        header('X-Dictation-Event', 'the event in the body'),
        header('X-Dictation-Delivery', 'the id in the body'),
      ],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: hoist(DeliverySchema), example: example as Json } },
      },
      responses: {
        '204': { description: 'Accepted; any 2xx works' },
        '410': { description: 'Rejected; the server does not retry' },
      },
    },
  }),
}
