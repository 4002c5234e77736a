// dictation server start, stop, status.

import { spawn } from 'node:child_process'
import type { WireHealth } from '../../http/service/health.ts'
import type { Given } from '../command.ts'
import { namedAddress, runningServer, startServer } from '../connection/connect.ts'
import { EXIT } from '../terminal/exit.ts'
import { CommandFailure } from '../terminal/failure.ts'
import { duration } from '../terminal/report.ts'
import type { Tools } from '../tools.ts'
import { validConfig } from '../valid-config.ts'
import { logFileOf } from './background.ts'
import { serverCommand } from './server-command.ts'
import { endServer, holderOf } from './state.ts'

export async function startServerCommand(
  { env, report }: Tools,
  { options }: Given<{ foreground?: boolean }>,
): Promise<number> {
  const running = await runningServer(env)
  if (running !== null && options.foreground)
    throw new CommandFailure(`A server is already running at ${running}.`, {
      hint: 'Stop it: dictation server stop',
    })
  if (options.foreground) return inForeground(env)
  const url = running ?? (await startServer(env, report))
  report.answer({ url, started: running === null }, () => url)
  return EXIT.done
}

export async function startWorkerCommand({ env }: Tools): Promise<number> {
  return inForeground(env, 'worker')
}

/** In this terminal, until a signal ends it. A terminal sends Ctrl-C to both processes, and a second one ends at once. */
function inForeground(env: Tools['env'], ...role: string[]): Promise<number> {
  const [program, ...args] = [...serverCommand(), ...role]
  const child = spawn(program!, args, { env: { ...env }, stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => (signal !== 'SIGINT' || process.stdin.isTTY !== true) && child.kill(signal))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? EXIT.failed))
  })
}

export async function stopServerCommand({ env, report }: Tools): Promise<number> {
  const { dataFolder, stopMs } = validConfig(env)
  const holder = await holderOf(dataFolder)
  const server = holder?.task === undefined ? holder : null
  if (server !== null) await endServer(server, stopMs)
  report.answer({ stopped: server !== null }, () =>
    server === null ? `No server runs on ${dataFolder}.` : `The server (process ${server.pid}) has stopped.`,
  )
  return EXIT.done
}

export async function serverStatus({ env, common, server, report }: Tools): Promise<number> {
  const { dataFolder } = validConfig(env)
  const own = await runningServer(env)
  const url = namedAddress(env, common.server) ?? own
  if (url === null) {
    report.answer({ running: false, data_folder: dataFolder }, () => `No server runs on ${dataFolder}.`)
    return EXIT.server
  }
  const health = await server.request<WireHealth>('GET', '/health')
  const { version, uptime_seconds, default_model, queue, status, speech } = health
  const files = url === own ? { data_folder: dataFolder, log: logFileOf(dataFolder) } : null
  report.answer({ running: true, url, ...files, health }, () =>
    [
      `The server runs at ${url} (version ${version}, ${status}, for ${duration(uptime_seconds)}).`,
      `Model: ${default_model.model_name ?? 'none installed'}. Jobs: ${queue.active ?? '?'} running, ${queue.waiting ?? '?'} waiting.`,
      ...(speech.sent_to === null
        ? []
        : [`Recordings are sent to ${speech.sent_to}. ${speech.problem ?? ''}`.trim()]),
    ].join('\n'),
  )
  return EXIT.done
}
