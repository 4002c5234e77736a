// A lock on the models folder: only one process downloads into it at a time, this server or a command.
// Within the process it is shared and reference-counted.

import { join } from 'node:path'
import { type InstanceLock, takeInstanceLock } from '../lib/lock.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { DOWNLOADS_FOLDER } from './part-file.ts'

export type FolderBusy = { code: 'model_folder_busy'; message: string }

export type FolderTurn = {
  /** @throws file system errors */
  take(): Promise<Result<{ giveBack(): void }, FolderBusy>>
}

const BUSY: FolderBusy = {
  code: 'model_folder_busy',
  message: 'Another program is installing a model into the models folder. Try again when it is done.',
}

export function createFolderTurn(modelsFolder: string): FolderTurn {
  let holders = 0
  let taking: Promise<Result<InstanceLock, unknown>> | null = null

  const giveBack = (lock: InstanceLock) => {
    holders -= 1
    if (holders > 0) return
    taking = null
    lock.release()
  }

  return {
    async take() {
      holders += 1
      // No waiting: a client expects a response, and another server may hold the lock for an hour.
      taking ??= takeInstanceLock(join(modelsFolder, DOWNLOADS_FOLDER), { patienceMs: 0 })
      const attempt = taking
      const taken = await attempt.catch((error) => {
        holders -= 1
        if (taking === attempt) taking = null
        throw error
      })
      if (taken.ok) return succeed({ giveBack: () => giveBack(taken.value) })
      holders -= 1
      if (taking === attempt) taking = null
      return fail(BUSY)
    },
  }
}
