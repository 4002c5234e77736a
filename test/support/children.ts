// Finds the processes that this test process has started, and what they were given. Linux only.
// Reads /proc; holds no assertions.

import { existsSync, readFileSync, readlinkSync } from 'node:fs'

/** Whether a process is there and not merely waiting to be collected. */
export const isRunning = (pid: number): boolean =>
  existsSync(`/proc/${pid}`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))

/** The names of what stands in its environment. */
export const environmentOf = (pid: number): string[] =>
  inParts(`/proc/${pid}/environ`).map((entry) => entry.split('=')[0]!)

export const commandOf = (pid: number): string[] => inParts(`/proc/${pid}/cmdline`)

export const folderOf = (pid: number): string => readlinkSync(`/proc/${pid}/cwd`)

/** The running children of this process whose command names the script. */
export const childrenRunning = (script: string): number[] =>
  readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')
    .split(' ')
    .filter((pid) => pid !== '')
    .map(Number)
    .filter((pid) => isRunning(pid) && commandOf(pid).some((part) => part.endsWith(script)))

const inParts = (path: string): string[] =>
  readFileSync(path, 'utf8')
    .split('\0')
    .filter((part) => part !== '')
