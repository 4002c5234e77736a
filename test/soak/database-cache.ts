// Fills the database's cache once. Postgres allocates each page of the cache at its first use and never frees it, so until
// then the memory of a server grows with the rows of deleted captures.

import { createRandom } from '../support/random.ts'
import type { World } from './operation.ts'
import { formOf } from './recordings.ts'

/** Each takes about 4 MB of pages, with its index; the cache has 32 MB. */
const TEXTS = 14
const TEXT_LENGTH = 400_000

/** Creates a capture, gives it long texts one after another, and deletes it. */
export async function fillDatabaseCache({ client, recordings }: World): Promise<void> {
  const random = createRandom(32)
  const route = 'a long text'
  const form = formOf(recordings.short[0]!, { source: 'file' })
  const made = await client.json<{ id: string }>('/captures?wait=true', { route, body: form })
  const path = `/captures/${made!.id}`
  for (let text = 0; text < TEXTS; text++) {
    const json = { transcript_refined: randomWords(random) }
    await client.request(path, { route, method: 'PATCH', json })
  }
  await client.request(path, { route, method: 'DELETE' })
}

/** Text that the database cannot compress. */
function randomWords(random: () => number): string {
  let text = ''
  while (text.length < TEXT_LENGTH) text += `${random().toString(36).slice(2)} `
  return text
}
