// The file in a shared store that identifies it.

import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newId } from '../lib/uuid.ts'
import { type SharedFiles, StoreError } from './store.ts'

export const MARKER = 'store.json'

/** The id of the store; creates it in a new store, of several servers at once only one. Proves that it can be written. */
export async function claimStore(files: SharedFiles, folder: string): Promise<string> {
  const id = newId(new Date())
  const file = join(folder, `${id}.text`)
  try {
    await writeFile(file, `${JSON.stringify({ format: 1, id })}\n`, { mode: 0o600 })
    await files.put(MARKER, file, { isNew: true })
    // The marker may have existed.
    await files.put(`check-${id}`, file)
    await files.remove(`check-${id}`)
  } finally {
    await rm(file, { force: true })
  }
  const text = Buffer.concat(await Array.fromAsync(await files.get(MARKER))).toString()
  const found = /"id":\s*"([0-9a-f-]{36})"/.exec(text)?.[1]
  if (found === undefined)
    throw new StoreError(`its ${MARKER} is not one of this program`, { mayPass: false })
  return found
}
