// Starts the server of this user without a terminal. It continues when the command ends; its log is a file of the data
// folder.

import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Environment, withAbsoluteFolders } from '../../config.ts'
import { makeFolder } from '../../lib/durable.ts'
import { type Holder, processState, readHolder } from '../../lib/instance-file.ts'
import { CommandFailure } from '../terminal/failure.ts'
import type { Report } from '../terminal/report.ts'
import { validConfig } from '../valid-config.ts'
import { serverCommand, typedCommand } from './server-command.ts'

/** A first start writes the database, and may rebuild it from thousands of files. */
const READY_WITHIN_MS = 120_000
const LOOK_EVERY_MS = 100
/** A larger log is renamed at a start; the next rename replaces it. */
const MAX_LOG_BYTES = 20_000_000
const SHOWN_LOG_LINES = 5

export const logFileOf = (dataFolder: string): string => join(dataFolder, 'server.log')

/** @returns its address @throws CommandFailure with the end of its log */
export async function startInBackground(env: Environment, report: Report): Promise<string> {
  const { dataFolder } = validConfig(env)
  const log = logFileOf(dataFolder)
  const earlierBytes = await prepareLog(dataFolder)
  report.note('No server is running; starting one.')
  const url = await ready(spawnDetached(env, log), { dataFolder, earlierBytes })
  report.note(`The server runs at ${url}. Stop it with: ${typedCommand()} server stop. Its log: ${log}`)
  return url
}

/** @returns the length of the log so far */
async function prepareLog(dataFolder: string): Promise<number> {
  await makeFolder(dataFolder)
  const log = logFileOf(dataFolder)
  const bytes = (await stat(log).catch(() => null))?.size ?? 0
  if (bytes <= MAX_LOG_BYTES) return bytes
  await rename(log, `${log}.1`)
  return 0
}

function spawnDetached(env: Environment, log: string): ChildProcess {
  const output = openSync(log, 'a', 0o600)
  const [program, ...args] = serverCommand()
  const child = spawn(program!, args, {
    cwd: '/',
    env: { ...withAbsoluteFolders(env) },
    detached: true,
    stdio: ['ignore', output, output],
    windowsHide: true,
  })
  closeSync(output)
  child.unref()
  return child
}

type Starting = { dataFolder: string; earlierBytes: number }

/** Another command may start one at the same time: then ours ends, because the folder has one server. */
async function ready(child: ChildProcess, { dataFolder, earlierBytes }: Starting): Promise<string> {
  const until = Date.now() + READY_WITHIN_MS
  let hasEnded = false
  for (const event of ['error', 'exit'] as const)
    child.once(event, () => {
      hasEnded = true
    })
  while (Date.now() < until) {
    const holder = await readHolder(dataFolder)
    const isHeld = holder !== null && holder.task === undefined && processState(holder.pid) === 'own'
    if (isHeld && (await responds(holder))) return holder.url!
    if (hasEnded && !isHeld) break
    await sleep(LOOK_EVERY_MS)
  }
  const written = (await readFile(logFileOf(dataFolder)).catch(() => Buffer.alloc(0))).subarray(earlierBytes)
  const lines = String(written).trimEnd().split('\n')
  throw new CommandFailure(
    `The server could not be started. The end of its log:\n${lines.slice(-SHOWN_LOG_LINES).join('\n')}`,
    { code: 'server_not_started', hint: 'dictation doctor checks the usual causes.' },
  )
}

const responds = async ({ url }: Holder): Promise<boolean> =>
  url !== null &&
  fetch(new URL('/health', url), { signal: AbortSignal.timeout(3000) }).then(
    (response) => response.ok,
    () => false,
  )
