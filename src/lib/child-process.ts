// Starts and ends Bun child processes.

import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { IN_EXECUTABLE } from './own-files.ts'

export type ChildProcess = Bun.Subprocess<'ignore', 'ignore', 'ignore'>

export type SpawnOptions = {
  /** the script that the child runs; executable.ts lists them, too */
  script: string
  /** collects garbage more often: slower, with less memory */
  small?: boolean
  /** `advanced` also carries typed arrays */
  serialization: 'json' | 'advanced'
}

/** In the arguments of the executable, which contains its scripts (executable.ts). */
export const SCRIPT_FLAG = '--script'

/** On Linux, the file that this process runs, whatever has its name now. */
const RUNNING_FILE = '/proc/self/exe'

/**
 * The executable itself, for its children. An update may replace the file while the server runs: a child of another
 * version would not understand its parent.
 * @returns a function that throws if the running version is no longer on the disk
 */
export function ownExecutable(path: string, running = RUNNING_FILE): () => string {
  if (existsSync(running)) return () => running
  const identity = () => {
    const found = statSync(path, { throwIfNoEntry: false })
    return `${found?.ino} ${found?.size} ${found?.mtimeMs}`
  }
  const asStarted = identity()
  return () => {
    if (identity() === asStarted) return path
    throw new Error(
      `${path} was replaced while the server runs. Restart the server: "dictation server stop", then "dictation server start".`,
    )
  }
}

const executable = IN_EXECUTABLE ? ownExecutable(process.execPath) : null

/** Runs one of this program's own scripts. @param flags of Bun, in the checkout only */
const scriptCommand = (script: string, flags: string[]): string[] =>
  executable === null
    ? [process.execPath, '--no-install', ...flags, script]
    : [executable(), SCRIPT_FLAG, script]

/**
 * Starts a script that communicates over messages only. The child gets no environment variables (and so no secrets), no
 * .env or bunfig.toml from the server's working directory, and installs no missing package.
 */
export function spawnChild<Message>(
  { script, small = false, serialization }: SpawnOptions,
  onMessage: (message: Message) => void,
): ChildProcess {
  return Bun.spawn(scriptCommand(script, small ? ['--smol'] : []), {
    cwd: dirname(IN_EXECUTABLE ? process.execPath : script),
    // An executable's flags are its own, so Bun reads its options from the environment.
    env: IN_EXECUTABLE && small ? { BUN_OPTIONS: '--smol' } : {},
    stdio: ['ignore', 'ignore', 'ignore'],
    serialization,
    ipc: onMessage,
  })
}

/** Turns false as soon as the runtime knows that the child ended. */
export const isAlive = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null

/**
 * Returns false if the child can no longer receive messages. Sending throws between the death of a child (or the
 * closing of either channel) and the event that reports it: one time in sixty for a child killed with a message on its
 * way.
 */
export function sendTo(child: ChildProcess, message: unknown): boolean {
  try {
    child.send(message)
    return true
  } catch {
    return false
  }
}

/** Linux reports times in `/proc` in hundredths of a second, whatever the kernel's own tick rate is. */
const MS_PER_TICK = 10

/**
 * CPU time of the child's main thread, which runs its code; compilers and the garbage collector use other threads. Null
 * on systems other than Linux, which do not report it.
 */
export function cpuTimeMs({ pid }: Pick<ChildProcess, 'pid'>): number | null {
  try {
    // The thread name is in parentheses and may contain spaces. utime and stime are the 14th and 15th field.
    const fields = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'latin1').split(') ').at(-1)!.split(' ')
    return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK
  } catch {
    return null
  }
}

/** Resolves when the process has ended and all its memory is free. */
export async function endChild(child: ChildProcess): Promise<void> {
  if (isAlive(child)) child.kill('SIGKILL')
  // The caller waits for the end, even of a child that does not keep this process alive.
  child.ref()
  await child.exited
}

/** A child process calls this first. From then on only its parent decides when it ends. */
export function exitWithParent(): void {
  // If the parent ends for any reason, the child must not be orphaned. SIGKILL also stops threads in a hot loop.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  // Ctrl-C, a closed terminal and a service manager signal the whole process group. The parent decides when running
  // work ends, so the child ignores these signals.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
}
