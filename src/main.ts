// The command line of the server: reads the environment, starts it, and stops it on a signal.
// The only file that reads the environment; what the server is made of is server.ts.

import { compileEmbedded } from '../db/embedded-module.ts'
import { isWriteToLostConnection } from '../db/errors.ts'
import packageJson from '../package.json' with { type: 'json' }
import { describeSettings, readConfig, unknownSettings } from './config.ts'
import { bypassProxyLocally } from './lib/bypass-proxy.ts'
import { createLog } from './lib/log.ts'
import { fail } from './lib/result.ts'

const USAGE = `Local Dictation ${packageJson.version}: speech to text on this computer.

usage: npm start [-- --help | --version]

Settings are environment variables [default]:
${describeSettings(process.env)}

GET /docs on the running server describes the API.`

/** Nobody but the user: files 0600, folders 0700. */
const PRIVATE_UMASK = 0o077

async function main(args: string[]): Promise<number | null> {
  if (args.includes('--help') || args.includes('-h')) return say(USAGE)
  if (args.includes('--version')) return say(packageJson.version)
  if (args.length > 0) return complain(`unknown argument ${args[0]}; --help says what there is`)
  const config = readConfig(process.env)
  if (!config.ok) return complain(config.failure)
  // For what libraries write: the database, the lock and its journal. Our children inherit it.
  process.umask(PRIVATE_UMASK)

  const compiled = config.value.databaseUrl === null ? compileEmbedded() : undefined
  const [{ log, lastLines }, { createDictationServer }] = await Promise.all([
    createLog(config.value.logLevel),
    import('./server.ts'),
  ])
  for (const name of unknownSettings(process.env))
    log.warn({ name }, 'this setting is not known; --help lists them')
  process.on('unhandledRejection', (error) => log.error({ reason: String(error) }, 'a background task broke'))
  process.on('uncaughtException', (error) => {
    if (isWriteToLostConnection(error)) return log.warn({}, 'a connection to the database was lost in use')
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
  const given = { config: config.value, log, version, readKey, compiled }
  const server = createDictationServer({ ...given, onFolderLost })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (!stopping) log.info({ signal }, 'stopping; a second signal exits at once')
      stop()
    })

  const started = await server.start().catch((error: Error) => fail(error.message))
  // What was stopped while it started breaks where it just was: that is no failure.
  if (started.ok || stopping) return null
  await server.stop()
  await lastLines()
  return complain(started.failure)
}

function say(text: string): number {
  console.log(text)
  return 0
}

function complain(line: string): number {
  console.error(`local-dictation: ${line}`)
  return 1
}

const exitCode = await main(process.argv.slice(2))
if (exitCode !== null) process.exit(exitCode)
