// Runs the real server, src/main.ts, as a child process on a free port with its own data folder. Nothing in it is
// replaced or switched off.

import { resolve } from 'node:path'
import { createTestFolder } from './database.ts'
import { bundledModel } from './ggml.ts'
import { until } from './until.ts'

export type RunningServer = {
  url: string
  pid: number
  dataFolder: string
  /** the parsed log so far */
  log(): Record<string, unknown>[]
  /** SIGTERM; returns the exit code. A data folder created for the server is removed. */
  stop(): Promise<number>
  /** kill -9: no time to clean up; the data folder stays */
  kill(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export type ServerOptions = {
  env?: Record<string, string>
  /** an existing data folder, which is then kept */
  dataFolder?: string
  /** false: does not wait until the server is ready; `url` is then empty */
  untilReady?: boolean
  /** READY_WITHIN_MS by default */
  readyWithinMs?: number
  /** arguments of the server's command */
  args?: readonly string[]
  /** a command that runs the server's command, passed after it, in the same process */
  within?: readonly string[]
  /** a module that is loaded before the server */
  preload?: string
  /** the server's command; that of this checkout by default */
  program?: readonly string[]
}

/** A start takes four seconds of processor time; on a busy machine that has been more than a minute. */
const READY_WITHIN_MS = 180_000

const main = resolve(import.meta.dir, '../../src/main.ts')

/** Starts a server and waits until it is ready. */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  if (options.dataFolder !== undefined) return launch(options.dataFolder, options)
  const folder = await createTestFolder()
  const env = { ...(folder.databaseUrl !== null && { DATABASE_URL: folder.databaseUrl }), ...options.env }
  const server = await launch(folder.dataFolder, { ...options, env })
  const stop = async () => {
    const code = await server.stop()
    await folder[Symbol.asyncDispose]()
    return code
  }
  return { ...server, stop, [Symbol.asyncDispose]: async () => void (await stop()) }
}

async function launch(dataFolder: string, options: ServerOptions): Promise<RunningServer> {
  const preload = options.preload === undefined ? [] : ['--preload', options.preload]
  const program = options.program ?? [process.execPath, ...preload, main]
  const child = Bun.spawn([...(options.within ?? []), ...program, ...(options.args ?? [])], {
    env: {
      ...process.env,
      PORT: '0',
      DICTATION_DATA_DIR: dataFolder,
      DICTATION_LOG_LEVEL: 'debug',
      // Most tests need any model, and this one is the fastest; '' leaves the choice to the server.
      DICTATION_MODEL: bundledModel.name,
      ...options.env,
    },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const lines: string[] = []
  const errors: string[] = []
  const reading = Promise.all([collect(child.stdout, lines), collect(child.stderr, errors)])
  const entries: Record<string, unknown>[] = []
  let read = 0
  // Parses only new lines: a waiting test calls this often, and the log is long at this level.
  const log = () => {
    for (; read < lines.length; read++)
      if (lines[read]!.startsWith('{')) entries.push(JSON.parse(lines[read]!))
    return entries.slice()
  }
  const ready = () => log().find((entry) => entry.msg === 'ready')

  if (options.untilReady !== false) {
    await until(() => ready() !== undefined || child.exitCode !== null, {
      timeoutMs: options.readyWithinMs ?? READY_WITHIN_MS,
      what: () => `the server to be ready; it said ${lines.join('\n')}${errors.join('\n')}`,
    }).catch((error) => {
      child.kill('SIGKILL')
      throw error
    })
    if (child.exitCode !== null)
      throw new Error(`the server ended with ${child.exitCode}: ${errors.join('\n')}`)
  }
  const server: RunningServer = {
    url: String(ready()?.url ?? ''),
    pid: child.pid,
    dataFolder,
    log,
    async stop() {
      child.kill('SIGTERM')
      const code = await child.exited
      await reading
      return code
    },
    async kill() {
      child.kill('SIGKILL')
      await child.exited
    },
    async [Symbol.asyncDispose]() {
      await server.stop()
    },
  }
  return server
}

async function collect(stream: ReadableStream<Uint8Array>, lines: string[]): Promise<void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of stream) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = parts.pop() ?? ''
    lines.push(...parts)
  }
  if (rest !== '') lines.push(rest)
}
