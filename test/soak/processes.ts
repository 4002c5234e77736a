// Memory, handles and threads of the server and its children, from /proc. Linux only.

import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { childrenOf, commandOf, ROLES, type Role, roleBy } from '../support/children.ts'

export type Resources = {
  processes: number
  /** private memory: without loaded parts of the runtime's binary and without lazily freed pages */
  ownMib: number
  /** open files except sockets and the database's files */
  files: number
  sockets: number
  threads: number
}

const nothing = (): Resources => ({ processes: 0, ownMib: 0, files: 0, sockets: 0, threads: 0 })

/** Postgres caches open files up to its own limit. */
const OF_DATABASE = /\/postgres-\d+\//

/** Resources of the server and its children, summed by role. */
export function resourcesOf(serverPid: number): Record<Role, Resources> {
  const held = Object.fromEntries(ROLES.map((role) => [role, nothing()])) as Record<Role, Resources>
  for (const pid of [serverPid, ...childrenOf(serverPid)]) {
    const one = inspect(pid)
    if (one === null) continue
    const sum = held[one.role]
    for (const key of Object.keys(sum) as (keyof Resources)[]) sum[key] += one.held[key]
  }
  return held
}

/** @returns null if the process has ended */
function inspect(pid: number): { role: Role; held: Resources } | null {
  try {
    const command = commandOf(pid)
    // A zombie, or a process that is ending, has no command line.
    if (command.length === 0) return null
    const role = roleBy(command)
    if (role === undefined) throw new Error(`unknown child process: ${command.join(' ')}`)
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const threads = numberIn(status, 'Threads')
    const memory = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
    const own = ['Pss_Anon', 'Pss_Shmem', 'SwapPss'].reduce((sum, name) => sum + numberIn(memory, name), 0)
    const ownMib = (own - numberIn(memory, 'LazyFree')) / 1024
    const handles = readdirSync(`/proc/${pid}/fd`).map((handle) => targetOf(pid, handle))
    const sockets = handles.filter((target) => target.startsWith('socket:')).length
    const files = handles.filter((target) => target !== '' && !OF_DATABASE.test(target)).length - sockets
    return { role, held: { processes: 1, ownMib, files, sockets, threads } }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return null
  }
}

const numberIn = (text: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0)

/** @returns an empty string if the handle was closed */
function targetOf(pid: number, handle: string): string {
  try {
    return readlinkSync(`/proc/${pid}/fd/${handle}`)
  } catch {
    return ''
  }
}
