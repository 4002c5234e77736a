// Removes the audio of a capture for good; its text stays.
// Removing the whole capture is remove-capture.ts.

import { join } from 'node:path'
import { withBallast } from '../lib/ballast.ts'
import { removeDurably } from '../lib/durable.ts'
import { type Archive, type Current, changeCapture, currentState } from './change-capture.ts'

/**
 * False where there is no such capture, or `isMeant` does not want it as it is when its turn comes. The file goes first:
 * what a crash leaves is a capture whose audio is missing, which the next start writes down.
 */
export async function removeAudio(
  archive: Archive,
  id: string,
  isMeant: (current: Current) => boolean,
): Promise<boolean> {
  return archive.lock(id, () =>
    withBallast(archive.dataFolder, async () => {
      const current = await currentState(archive, id)
      if (current === null || !isMeant(current)) return false
      await removeDurably(join(archive.dataFolder, current.capture.audioPath))
      await changeCapture(archive, { current, change: { audioAvailable: false } })
      return true
    }),
  )
}
