// One delivery to the webhook: a signed POST to the address in the settings and to no other.
// When it is tried again is webhook-queue.ts.

import { createHmac } from 'node:crypto'

const SIGNATURE_HEADER = 'x-dictation-signature'

/** A receiver that has not begun to answer by then has not taken it. */
const TIMEOUT_MS = 10_000

/** `gone` is the receiver's own word (410) that it wants this no more. */
export type DeliveryOutcome = 'delivered' | 'gone' | 'refused' | 'unreachable'

export type WebhookRequest = {
  url: string
  secret: string
  /** what is sent, as JSON */
  body: { id: string; event: string }
  /** when it is sent, in the signature */
  now: Date
  signal: AbortSignal
  timeoutMs?: number
}

/** Never throws. `status` is null where nothing came back; the body of an answer is not read. */
export async function deliver(
  request: WebhookRequest,
): Promise<{ outcome: DeliveryOutcome; status: number | null }> {
  const { url, secret, body, now, signal, timeoutMs = TIMEOUT_MS } = request
  const text = JSON.stringify(body)
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'local-dictation',
        'x-dictation-event': body.event,
        'x-dictation-delivery': body.id,
        [SIGNATURE_HEADER]: signature(secret, text, now),
      },
      body: text,
      // Where a redirect leads nobody has agreed to send words.
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    await response.body?.cancel().catch(() => {})
    const { status } = response
    if (status >= 200 && status < 300) return { outcome: 'delivered', status }
    return { outcome: status === 410 ? 'gone' : 'refused', status }
  } catch {
    return { outcome: 'unreachable', status: null }
  }
}

/**
 * `t=<seconds since 1970>,v1=<HMAC-SHA256 in hex>`, over the time, a full stop and the body as it is sent: a receiver
 * that compares the time with its own clock cannot be shown an old delivery again.
 */
export function signature(secret: string, body: string, now: Date): string {
  const seconds = Math.floor(now.getTime() / 1000)
  const code = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return `t=${seconds},v1=${code}`
}
