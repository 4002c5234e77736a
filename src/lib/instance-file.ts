// The note in a data folder of which process holds it, and where that one answers: instance.json.
// It may outlive its process. What binds is the lock (lock.ts), which also writes the note.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export type Holder = { pid: number; url: string | null }

export const instanceFileOf = (dataFolder: string): string => join(dataFolder, 'instance.json')

export async function readHolder(dataFolder: string): Promise<Holder | null> {
  const text = await readFile(instanceFileOf(dataFolder), 'utf8').catch(() => '')
  const found = /^\{"pid":(\d{1,10}),"url":(?:null|"([^"\\]{1,200})")\}$/.exec(text)
  return found === null ? null : { pid: Number(found[1]), url: found[2] ?? null }
}

/** Whether a process runs, and whether it is the caller's own: one that this user may signal. */
export function processState(pid: number): 'own' | 'foreign' | 'ended' {
  try {
    process.kill(pid, 0)
    return 'own'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? 'foreign' : 'ended'
  }
}
