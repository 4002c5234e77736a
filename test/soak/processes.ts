// What the server and its children hold: memory, handles and threads of each, from /proc. Linux only.
// Tells them apart by the script that they run; judges nothing.

import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { childrenOf, commandOf, ROLES, type Role, roleBy } from '../support/children.ts'

export type Held = {
  processes: number
  /** what is its own: not the parts of the runtime's file that happen to be loaded, nor what was freed */
  ownMib: number
  /** handles of all but sockets and the database's own files */
  files: number
  sockets: number
  threads: number
}

const nothing = (): Held => ({ processes: 0, ownMib: 0, files: 0, sockets: 0, threads: 0 })

/** Postgres keeps what it has opened, up to a limit of its own, and closes it as it likes. */
const OF_DATABASE = /\/postgres-\d+\//

/** Of the server and of all its children, added up by what they are for. */
export function heldBy(serverPid: number): Record<Role, Held> {
  const held = Object.fromEntries(ROLES.map((role) => [role, nothing()])) as Record<Role, Held>
  for (const pid of [serverPid, ...childrenOf(serverPid)]) {
    const one = look(pid)
    if (one === null) continue
    const sum = held[one.role]
    for (const key of Object.keys(sum) as (keyof Held)[]) sum[key] += one.held[key]
  }
  return held
}

/** Null where it has ended meanwhile. */
function look(pid: number): { role: Role; held: Held } | null {
  try {
    const command = commandOf(pid)
    // One that is ending, or has ended and was not collected yet, tells none any more.
    if (command.length === 0) return null
    const role = roleBy(command)
    if (role === undefined) throw new Error(`a child that is not known here: ${command.join(' ')}`)
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

/** Empty where it was closed meanwhile. */
function targetOf(pid: number, handle: string): string {
  try {
    return readlinkSync(`/proc/${pid}/fd/${handle}`)
  } catch {
    return ''
  }
}
