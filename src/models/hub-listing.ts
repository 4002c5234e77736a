// Length and SHA-256 of a file from the hub's listing, for responses without them. Trusts only the hub itself.

import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { type HubFile, listingUrl } from './hub-address.ts'
import { askHub } from './hub-request.ts'

export type Listed = { sha256: string; bytes: number }

/** A listing of a thousand files has 300 kB. */
const MAX_LISTING_BYTES = 4_000_000
const DEADLINE_MS = 30_000

const ListingSchema = Type.Array(
  Type.Object({
    path: Type.String(),
    lfs: Type.Optional(
      Type.Object({
        oid: Type.String({ pattern: '^(sha256:)?[0-9a-f]{64}$' }),
        size: Type.Integer({ minimum: 1 }),
      }),
    ),
  }),
)

/**
 * @returns null if the hub does not list the file, or lists no SHA-256
 * @throws the signal's reason when it aborts
 */
export async function listedFile(
  baseUrl: string,
  file: HubFile,
  signal: AbortSignal,
): Promise<Listed | null> {
  const deadline = AbortSignal.timeout(DEADLINE_MS)
  try {
    const url = listingUrl(baseUrl, file)
    const answer = await askHub({ url, signal: AbortSignal.any([signal, deadline]), stayAtHub: true })
    if (!answer.ok) return null
    const listing: unknown = JSON.parse(await readText(answer.value.response))
    if (!Value.Check(ListingSchema, listing)) return null
    const found = listing.find(({ path }) => path === file.path)?.lfs
    return found ? { sha256: found.oid.replace('sha256:', ''), bytes: found.size } : null
  } catch {
    signal.throwIfAborted()
    return null
  }
}

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > MAX_LISTING_BYTES) throw new Error('the listing is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
