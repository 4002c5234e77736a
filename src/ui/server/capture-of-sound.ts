// Whether the server has a recording already, by its hash: for what was sent, and whose answer did not come.
// Sending is ask.ts's and send-form.ts's.

import { ask } from './ask.ts'
import type { ListedCapture, ListOf } from './wire.ts'

/** Also in the trash; null where there is none, or the address is not secure and the browser makes no hash. @throws Refused, Unreachable */
export async function captureOfSound(sound: Blob): Promise<ListedCapture | null> {
  // Rather twice than not at all.
  if (!isSecureContext) return null
  const digest = await crypto.subtle.digest('SHA-256', await sound.arrayBuffer())
  const audio_sha256 = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  for (const trashed of ['false', 'true']) {
    const query = new URLSearchParams({ audio_sha256, trashed, limit: '1' })
    const { items } = await ask<ListOf<ListedCapture>>(`/captures?${query}`)
    if (items[0]) return items[0]
  }
  return null
}
