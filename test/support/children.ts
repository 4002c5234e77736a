// Finds the processes that this test process has started, and what they were given. Linux only.
// Reads /proc; holds no assertions.

import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** Whether a process is there and not merely waiting to be collected. */
export const isRunning = (pid: number): boolean =>
  existsSync(`/proc/${pid}`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))

/** The names of what stands in its environment. */
export const environmentOf = (pid: number): string[] =>
  inParts(`/proc/${pid}/environ`).map((entry) => entry.split('=')[0]!)

export const commandOf = (pid: number): string[] => inParts(`/proc/${pid}/cmdline`)

export const folderOf = (pid: number): string => readlinkSync(`/proc/${pid}/cwd`)

/** Ids of this process's children, ended ones too until they are collected; each thread has its own list. */
export const childrenHere = (): number[] =>
  readdirSync('/proc/self/task').flatMap((thread) => childrenOfThread(`/proc/self/task/${thread}/children`))

function childrenOfThread(list: string): number[] {
  try {
    return readFileSync(list, 'utf8').trim().split(/\s+/).filter(Boolean).map(Number)
  } catch {
    // The thread has ended since it was listed.
    return []
  }
}

const inParts = (path: string): string[] =>
  readFileSync(path, 'utf8')
    .split('\0')
    .filter((part) => part !== '')
