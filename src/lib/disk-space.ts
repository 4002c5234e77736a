// How much room is left on the disk that holds a folder.
// What is too little is for the caller to say.

import { statfs } from 'node:fs/promises'

/** What this user may still fill, and the whole, in bytes. */
export async function diskSpace(folder: string): Promise<{ freeBytes: number; totalBytes: number }> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
}
