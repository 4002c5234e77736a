// The command line of the server: reads the environment, starts the server, and stops it on a signal.

import { prepareEmbedded } from '../db/embedded-start.ts'
import { isWriteToLostConnection } from '../db/errors.ts'
import packageJson from '../package.json' with { type: 'json' }
import { describeSettings, readConfig, unknownSettings } from './config.ts'
import type { Role } from './jobs/servers.ts'
import { bypassProxyLocally } from './lib/bypass-proxy.ts'
import { createLog } from './lib/log.ts'
import { fail } from './lib/result.ts'

const USAGE = `Local Dictation ${packageJson.version}: speech to text on this computer.

usage: npm start [-- worker | --help | --version]

A worker transcribes for the servers on the same DATABASE_URL, and has no API but /health and /metrics.

Settings are environment variables [default]:
${describeSettings(process.env)}

GET /docs on the running server describes the API.`

/** Access for the user only: files 0600, folders 0700. */
const PRIVATE_UMASK = 0o077

async function main(args: string[]): Promise<number | null> {
  if (args.includes('--help') || args.includes('-h')) return print(USAGE)
  if (args.includes('--version')) return print(packageJson.version)
  const role: Role = args[0] === 'worker' ? 'worker' : 'server'
  const [unknown] = role === 'worker' ? args.slice(1) : args
  if (unknown !== undefined) return printError(`unknown argument ${unknown}; see --help`)
  const config = readConfig(process.env)
  if (!config.ok) return printError(config.failure)
  if (role === 'worker' && config.value.databaseUrl === null)
    return printError('a worker needs DATABASE_URL, the Postgres of the servers that it works for')
  // For files that libraries create: the database, the lock and its journal. Child processes inherit it.
  process.umask(PRIVATE_UMASK)

  const embedded = config.value.databaseUrl === null ? prepareEmbedded() : undefined
  const [{ log, lastLines }, { createDictationServer }] = await Promise.all([
    createLog(config.value.logLevel),
    import('./server.ts'),
  ])
  for (const name of unknownSettings(process.env))
    log.warn({ name }, 'unknown setting; --help lists all settings')
  process.on('unhandledRejection', (error) =>
    log.error({ reason: String(error) }, 'a background task failed'),
  )
  process.on('uncaughtException', (error) => {
    if (isWriteToLostConnection(error))
      return log.warn({}, 'lost a connection to the database while using it')
    console.error(error)
    process.exit(1)
  })

  bypassProxyLocally(process.env)

  const { version } = packageJson
  const readKey = (name: string) => process.env[name]
  let stopping = false
  const exitAfter = (ending: Promise<void>, code: number) => {
    stopping = true
    void ending.then(lastLines).then(() => process.exit(code))
  }
  const stop = () => {
    if (stopping) process.exit(1)
    exitAfter(server.stop(), 0)
  }
  const onFolderLost = () => exitAfter(Promise.resolve(), 1)
  const given = { role, config: config.value, log, version, readKey, embedded }
  const server = createDictationServer({ ...given, onFolderLost })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (!stopping) log.info({ signal }, 'stopping; a second signal exits at once')
      stop()
    })

  const started = await server.start().catch((error: Error) => fail(error.message))
  // A stop during the start makes the start fail; that is expected.
  if (started.ok || stopping) return null
  await server.stop()
  await lastLines()
  return printError(started.failure)
}

function print(text: string): number {
  console.log(text)
  return 0
}

function printError(line: string): number {
  console.error(`local-dictation: ${line}`)
  return 1
}

const exitCode = await main(process.argv.slice(2))
if (exitCode !== null) process.exit(exitCode)
