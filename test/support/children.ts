// Finds the child processes of this test process, with their environment. Reads /proc, so Linux only.

import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** Whether a process exists and is not a zombie. */
export function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** The names of its environment variables. */
export const environmentOf = (pid: number): string[] =>
  inParts(`/proc/${pid}/environ`).map((entry) => entry.split('=')[0]!)

export const commandOf = (pid: number): string[] => inParts(`/proc/${pid}/cmdline`)

export const folderOf = (pid: number): string => readlinkSync(`/proc/${pid}/cwd`)

/** Ids of a process's children, including zombies; each thread has its own list. */
export const childrenOf = (pid: number | 'self'): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    childrenOfThread(`/proc/${pid}/task/${thread}/children`),
  )

export const childrenHere = (): number[] => childrenOf('self')

export const ROLES = ['server', 'decoder', 'detector', 'engine'] as const
/** The purpose of a server process. */
export type Role = (typeof ROLES)[number]

const SCRIPTS: [Role, string][] = [
  ['server', '/src/main.ts'],
  ['decoder', '/decoder-process.ts'],
  ['detector', '/speech-process.ts'],
  ['engine', '-recogniser.ts'],
]

/** By the script that it runs; undefined if that is not one of ours. */
export const roleOf = (pid: number): Role | undefined => roleBy(commandOf(pid))

export const roleBy = (command: string[]): Role | undefined =>
  SCRIPTS.find(([, script]) => command.some((part) => part.endsWith(script)))?.[0]

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
