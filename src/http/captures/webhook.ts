// What the webhook is sent, for the document: OpenAPI's own words for a request that the server makes.
// Sending it is src/jobs/webhooks.ts.

import type { Static } from '@sinclair/typebox'
import { ANNOUNCED_EVENTS } from '../../captures/capture-events.ts'
import { nullable, oneOf, uuid } from '../../lib/schema.ts'
import { dateTime, strictObject } from '../contract/schema.ts'
import type { Json, JsonObject } from '../contract/schema-hoister.ts'
import type { Webhook } from '../contract/webhook.ts'
import { CaptureWireSchema, captureExample } from './schema.ts'

const DeliverySchema = strictObject(
  {
    id: uuid({ description: 'of the delivery: the same at every attempt' }),
    event: oneOf(ANNOUNCED_EVENTS),
    created_at: dateTime({ description: 'when it happened' }),
    capture_id: uuid(),
    capture: nullable(CaptureWireSchema, {
      description: 'as it stands when it is sent; null where it is deleted',
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

- \`capture.completed\`: a transcription is done, refined where that was asked for; also after a retranscription;
- \`capture.refined\`: a refinement that was asked for afterwards is done;
- \`capture.failed\`: there will be no transcript;
- \`capture.deleted\`: it is gone for good, by hand or because it was kept long enough.

Any 2xx within 10 seconds is an acknowledgement, 410 declines this delivery for good; the body of an answer is not
read. Everything else is tried again, up to 20 times within about half a day, also after a restart. Deliveries may
arrive out of order and, seldom, twice. When \`webhook_url\` is changed, those that wait go to the new address; when it
is set to null they are dropped. Nothing is told of what happens while it is null, nor of a capture that was deleted
before its delivery succeeded, but for the deletion.

The signature proves where it comes from: \`t=<seconds since 1970>,v1=<hex>\`, the HMAC-SHA256 of the time, a full stop
and the body as it was sent. The key is made at the first delivery. It is \`webhookKey\` in \`library.json\` in the data
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
        header('X-Dictation-Signature', 'proves where the delivery comes from'),
        header('X-Dictation-Event', 'the event in the body'),
        header('X-Dictation-Delivery', 'the id in the body'),
      ],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: hoist(DeliverySchema), example: example as Json } },
      },
      responses: {
        '204': { description: 'Taken; any 2xx will do' },
        '410': { description: 'Not wanted; it is not tried again' },
      },
    },
  }),
}
