// Finds the captures that a user means.

import type { Static } from '@sinclair/typebox'
import type { CaptureDetailSchema, FoundCaptureSchema } from '../../http/captures/schema.ts'
import type { ServerClient } from '../connection/server-client.ts'
import { type ItemPage, isTail, isWholeId, LAST, theOnly } from '../items.ts'

export type WireCaptureDetail = Static<typeof CaptureDetailSchema>
export type WireFoundCapture = Static<typeof FoundCaptureSchema>

type Where = 'anywhere' | 'trash'

/**
 * The ids of captures by their names: ids, the last characters of ids, or @last.
 * @param where `trash` looks only there; otherwise @last is the newest that is not in it
 * @throws CommandFailure if a name means no capture, or several
 */
export async function captureIds(
  server: ServerClient,
  names: readonly string[],
  where: Where = 'anywhere',
): Promise<string[]> {
  const ids: string[] = []
  for (const name of names) ids.push(await captureId(server, name, where))
  return [...new Set(ids)]
}

export async function captureId(
  server: ServerClient,
  name: string,
  where: Where = 'anywhere',
): Promise<string> {
  const tail = name.toLowerCase()
  if (isWholeId(tail)) return tail
  const kind = {
    noun: 'capture',
    code: 'capture_not_found',
    lists: where === 'trash' ? 'dictation captures ls --trash' : 'dictation captures ls',
  }
  if (name !== LAST && !isTail(tail)) return theOnly([], name, kind)
  const wanted = name === LAST ? 'limit=1' : `limit=2&id_tail=${tail}`
  const places = where === 'trash' ? [true] : name === LAST ? [false] : [false, true]
  const pages = await Promise.all(
    places.map((trashed) =>
      server.request<ItemPage<WireFoundCapture>>('GET', `/captures?${wanted}&count=false&trashed=${trashed}`),
    ),
  )
  return theOnly(
    pages.flatMap(({ items }) => items),
    name,
    kind,
  ).id
}
