// Checks that a folder belongs to this user alone. The server trusts the folder's content, so no other user may write
// there.

import { readdir, stat } from 'node:fs/promises'
import { makePrivate } from './durable.ts'
import { nullIfMissing } from './os-errors.ts'

const WRITABLE_BY_OTHERS = 0o022

/** Why the folder must not be used, as the end of a sentence; null if it is this user's alone or does not exist. */
export async function ownershipProblem(folder: string): Promise<string | null> {
  const user = process.geteuid?.()
  if (user === undefined) return null
  try {
    const found = await stat(folder)
    // Creating the folder reports a file in its place.
    if (!found.isDirectory()) return null
    if (found.uid !== user)
      return `it belongs to user ${found.uid}, and the server runs as user ${user}. Start the server as its owner, or change the owner (chown)`
    // An empty folder contains nothing from other users yet, so it is safe to close it.
    if ((await readdir(folder)).length === 0) await makePrivate(folder)
    const { mode } = await stat(folder)
    if ((mode & WRITABLE_BY_OTHERS) === 0) return null
    return `other users may write to it (mode ${(mode & 0o7777).toString(8)}). Check what is in it, then run chmod 700 on it`
  } catch (error) {
    return nullIfMissing(error)
  }
}
