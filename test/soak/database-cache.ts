// Has the database use all of its cache once: it takes each page's place in there when it first needs one, and never gives
// it back, so that until then a server grows with the tombstones of what was deleted.

import { createRandom } from '../support/random.ts'
import type { World } from './operation.ts'
import { formOf } from './sounds.ts'

/** Each takes some 4 MB of the database's pages, with its index; the cache has 32 MB. */
const TEXTS = 14
const TEXT_LENGTH = 400_000

/** Makes a capture with long texts, one after another, and deletes it. */
export async function fillDatabaseCache({ client, sounds }: World): Promise<void> {
  const random = createRandom(32)
  const route = 'a long text'
  const form = formOf(sounds.short[0]!, { source: 'file' })
  const made = await client.json<{ id: string }>('/captures?wait=true', { route, body: form })
  const path = `/captures/${made!.id}`
  for (let text = 0; text < TEXTS; text++) {
    const json = { transcript_refined: unlikeWords(random) }
    await client.ask(path, { route, method: 'PATCH', json })
  }
  await client.ask(path, { route, method: 'DELETE' })
}

/** What a database cannot make smaller. */
function unlikeWords(random: () => number): string {
  let text = ''
  while (text.length < TEXT_LENGTH) text += `${random().toString(36).slice(2)} `
  return text
}
