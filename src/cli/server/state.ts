// Finds the running server of this user, and stops it.

import { setTimeout as sleep } from 'node:timers/promises'
import { type Holder, processState, readHolder } from '../../lib/instance-file.ts'
import { isHeld } from '../../lib/lock.ts'
import { CommandFailure } from '../terminal/failure.ts'

/** The process that holds the data folder; null if none does. The note in the folder may outlive its process. */
export async function holderOf(dataFolder: string): Promise<Holder | null> {
  return isHeld(dataFolder) ? readHolder(dataFolder) : null
}

/** For closing the engine and the database, in addition to the configured wait for requests. */
const GRACE_MS = 30_000
const LOOK_EVERY_MS = 50

/** @throws CommandFailure if it does not end, or is not a server */
export async function endServer({ pid, task }: Holder, stopMs: number): Promise<void> {
  if (task !== undefined)
    throw new CommandFailure(`The data folder is in use by "${task}" (process ${pid}).`, {
      code: 'folder_in_use',
      hint: 'Try again when it has ended.',
    })
  if (processState(pid) === 'foreign')
    throw new CommandFailure(`The server (process ${pid}) runs as another user.`, { code: 'not_permitted' })
  process.kill(pid, 'SIGTERM')
  for (
    const until = Date.now() + stopMs + GRACE_MS;
    processState(pid) !== 'ended';
    await sleep(LOOK_EVERY_MS)
  )
    if (Date.now() > until)
      throw new CommandFailure(`The server (process ${pid}) has not stopped.`, {
        code: 'not_stopped',
        hint: `A second signal ends it at once: kill ${pid}. Recordings are safe.`,
      })
}
