// instance.json, a note in the data folder: which process holds the folder and at which URL it answers.
// It may outlive its process; the lock (lock.ts) decides.

import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** `task`: a command other than the server that holds the folder, such as `dictation verify` */
export type Holder = { pid: number; url: string | null; task?: string }

export const instanceFileOf = (dataFolder: string): string => join(dataFolder, 'instance.json')

export async function readHolder(dataFolder: string): Promise<Holder | null> {
  const text = await readFile(instanceFileOf(dataFolder), 'utf8').catch(() => '')
  const [found, pid, url = null, task] =
    /^\{"pid":(\d{1,10}),"url":(?:null|"([^"\\]{1,200})")(?:,"task":"([a-z ]{1,40})")?\}$/.exec(text) ?? []
  return found === undefined ? null : { pid: Number(pid), url, ...(task !== undefined && { task }) }
}

/** Whether a process runs, and whether it belongs to this user (who may then signal it). */
export function processState(pid: number): 'own' | 'foreign' | 'ended' {
  try {
    process.kill(pid, 0)
    return isZombie(pid) ? 'ended' : 'own'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? 'foreign' : 'ended'
  }
}

/** A zombie: its parent has not reaped it, as in a container whose first process reaps none. Only Linux reports it. */
function isZombie(pid: number): boolean {
  try {
    // The name of the program, in parentheses, may contain any character.
    return /^\d+ \(.*\) [ZX] /s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
