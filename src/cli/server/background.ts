// Starts the server of this user without a terminal. It continues when the command ends; its log is a file of the data
// folder.

import { type ChildProcess, spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Config, type Environment, readConfig } from '../../config.ts'
import { makeFolder } from '../../lib/durable.ts'
import { processState, readHolder } from '../../lib/instance-file.ts'
import { CommandFailure } from '../terminal/failure.ts'
import type { Report } from '../terminal/report.ts'
import { serverCommand } from './server-command.ts'

/** A first start writes the database, and may rebuild it from thousands of files. */
const READY_WITHIN_MS = 120_000
const LOOK_EVERY_MS = 100
/** Then the log becomes the previous one, which the next replaces. */
const MAX_LOG_BYTES = 20_000_000
const SHOWN_LOG_LINES = 5

export const logFileOf = (dataFolder: string): string => join(dataFolder, 'server.log')

/** @returns its address @throws CommandFailure with the end of its log */
export async function startInBackground(env: Environment, report: Report): Promise<string> {
  const config = readConfig(env)
  if (!config.ok) throw new CommandFailure(config.failure, { code: 'invalid_settings' })
  const { dataFolder } = config.value
  const log = await openLog(dataFolder)
  report.note('No server is running; starting one.')
  const child = spawnDetached(env, log)
  const url = await ready(child, config.value)
  report.note(`The server is ready at ${url}. "dictation server stop" stops it; its log is ${log}.`)
  return url
}

async function openLog(dataFolder: string): Promise<string> {
  await makeFolder(dataFolder)
  const log = logFileOf(dataFolder)
  const size = await stat(log).then(
    (found) => found.size,
    () => 0,
  )
  if (size > MAX_LOG_BYTES) await rename(log, `${log}.1`)
  return log
}

function spawnDetached(env: Environment, log: string): ChildProcess {
  const output = openSync(log, 'a', 0o600)
  const [program, ...args] = serverCommand()
  const child = spawn(program!, args, {
    cwd: '/',
    env: { ...env },
    detached: true,
    stdio: ['ignore', output, output],
    windowsHide: true,
  })
  child.unref()
  return child
}

/** Another command may start one at the same time: then ours ends, because the folder has one server. */
async function ready(child: ChildProcess, { dataFolder }: Config): Promise<string> {
  const until = Date.now() + READY_WITHIN_MS
  let failed: Error | null = null
  child.once('error', (error) => {
    failed = error
  })
  while (Date.now() < until && failed === null) {
    const holder = await readHolder(dataFolder)
    const isRunning = holder !== null && processState(holder.pid) === 'own'
    if (isRunning && holder.url !== null && (await responds(holder.url))) return holder.url
    if (child.exitCode !== null && !isRunning) break
    await sleep(LOOK_EVERY_MS)
  }
  const lines = (await readFile(logFileOf(dataFolder), 'utf8').catch(() => '')).trimEnd().split('\n')
  throw new CommandFailure(
    `The server could not be started. The end of its log:\n${lines.slice(-SHOWN_LOG_LINES).join('\n')}`,
    { code: 'server_not_started', hint: 'dictation doctor finds the usual causes.' },
  )
}

const responds = (url: string): Promise<boolean> =>
  fetch(new URL('/health', url), { signal: AbortSignal.timeout(3000) }).then(
    (response) => response.ok,
    () => false,
  )
