// Bun processes that work for this one: how they are started, ended, and end by themselves.
// What they are asked, for how long and what follows a failure is for those who start them.

import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'

export type ChildProcess = Bun.Subprocess<'ignore', 'ignore', 'ignore'>

export type ChildOptions<Message> = {
  /** the script that the child runs */
  script: string
  arguments?: string[]
  /** collects garbage more often: slower, and smaller */
  small?: boolean
  /** `advanced` also carries typed arrays */
  serialization: 'json' | 'advanced'
  onMessage(message: Message): void
}

/**
 * Starts a script that talks over messages alone. Neither a .env nor a bunfig.toml of the folder that the server
 * was started in reaches it, nor a secret of the environment, nor a package that is not installed.
 */
export function startChild<Message>(options: ChildOptions<Message>): ChildProcess {
  const { script, small = false, serialization, onMessage } = options
  const flags = small ? ['--no-install', '--smol'] : ['--no-install']
  return Bun.spawn([process.execPath, ...flags, script, ...(options.arguments ?? [])], {
    cwd: dirname(script),
    env: {},
    stdio: ['ignore', 'ignore', 'ignore'],
    serialization,
    ipc: onMessage,
  })
}

/** False as soon as its end is known. */
export const isAlive = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null

/**
 * Between its death and the news of it, or of either's channel being closed, sending throws (one time in sixty, where
 * it was killed with a message on its way). @returns false where it gets nothing any more
 */
export function sendTo(child: ChildProcess, message: unknown): boolean {
  try {
    child.send(message)
    return true
  } catch {
    return false
  }
}

/** On Linux `/proc` counts in hundredths of a second, whatever the kernel's own clock is. */
const MS_PER_TICK = 10

/**
 * What it has computed so far on its first thread, which runs its code: compilers and the garbage collector work on
 * others. Null where the system does not tell (other systems than Linux).
 */
export function computedMs({ pid }: Pick<ChildProcess, 'pid'>): number | null {
  try {
    // The name of the thread stands in brackets and may hold spaces; utime and stime are the 14th and 15th field.
    const fields = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'latin1').split(') ').at(-1)!.split(' ')
    return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK
  } catch {
    return null
  }
}

/** Resolves when it is gone, and with it all its memory. */
export async function endChild(child: ChildProcess): Promise<void> {
  if (isAlive(child)) child.kill('SIGKILL')
  await child.exited
}

/** What a child process calls first: from then on its parent alone decides how long it lives. */
export function serveParentAlone(): void {
  // A parent that is gone, however it went, must leave no orphan; SIGKILL also stops threads in a hot loop.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  // Ctrl-C, a closed terminal and a service manager reach the whole process group; work that the parent still
  // wants to end properly must not break off under it.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
}
