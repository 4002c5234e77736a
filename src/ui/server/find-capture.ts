// Finds the capture of a recording by its hash, for an upload whose response was lost.

import { request } from './request.ts'
import type { ListedCapture, ListOf } from './wire.ts'

/**
 * Includes the trash. Null if there is none, or if the page is not in a secure context, where the browser cannot hash.
 * @throws Refused, Unreachable
 */
export async function findCaptureByAudio(sound: Blob): Promise<ListedCapture | null> {
  // A duplicate is better than a loss.
  if (!isSecureContext) return null
  const digest = await crypto.subtle.digest('SHA-256', await sound.arrayBuffer())
  const audio_sha256 = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  for (const trashed of ['false', 'true']) {
    const query = new URLSearchParams({ audio_sha256, trashed, limit: '1' })
    const { items } = await request<ListOf<ListedCapture>>(`/captures?${query}`)
    if (items[0]) return items[0]
  }
  return null
}
