// dictation server install, uninstall: the server starts when its user logs in.

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Environment, givenSettings, withAbsoluteFolders } from '../../config.ts'
import type { Given } from '../command.ts'
import { confirm } from '../terminal/confirm.ts'
import { EXIT } from '../terminal/exit.ts'
import { CommandFailure } from '../terminal/failure.ts'
import type { Tools } from '../tools.ts'
import { validConfig } from '../valid-config.ts'
import { logFileOf } from './background.ts'
import { isTemporary, npxPackage, ownCommand, serverCommand } from './server-command.ts'
import { launchAgent, type ServiceFile, systemdUnit, windowsTask } from './service-files.ts'
import { endServer, holderOf } from './state.ts'

type Options = { 'dry-run'?: boolean; yes?: boolean }

function serviceFile(env: Environment): ServiceFile {
  const { dataFolder, stopMs } = validConfig(env)
  const parts = {
    command: serverCommand(),
    settings: [...givenSettings(withAbsoluteFolders(env)), ...givenKeys(env)],
    log: logFileOf(dataFolder),
    stopSeconds: stopMs / 1000,
  }
  if (process.platform === 'darwin') return launchAgent(parts, process.getuid!())
  if (process.platform === 'win32')
    return windowsTask({ ...parts, command: [...ownCommand(), 'server', 'start'] }, dataFolder)
  return systemdUnit(parts, env)
}

/** The keys of language models: the setting `llm_api_key_env` names one of these variables. */
const givenKeys = (env: Environment): [name: string, value: string][] =>
  Object.entries(env).flatMap(([name, value]) =>
    value && /^DICTATION_\w+_KEY$/.test(name) ? [[name, value]] : [],
  )

const commandLines = (commands: string[][]): string =>
  commands.map((words) => `  ${words.join(' ')}\n`).join('')

export async function installService({ env, report }: Tools, { options }: Given<Options>): Promise<number> {
  const { dataFolder, stopMs } = validConfig(env)
  const file = serviceFile(env)
  if (options['dry-run']) {
    report.answer({ path: file.path, text: file.text, enable: file.enable }, () => file.text.trimEnd())
    return EXIT.done
  }
  if (isTemporary())
    throw new CommandFailure('This copy belongs to npx, which may delete it at any time.', {
      code: 'temporary_installation',
      hint: `Install it first: npm install --global ${npxPackage()}`,
    })
  report.note(`This writes ${file.path}:\n\n${file.text}\nand runs:\n${commandLines(file.enable)}`)
  if (!(await confirm('Start the server at each login?', options.yes === true))) return EXIT.failed
  // One server per data folder: the service could not start beside it.
  const running = await holderOf(dataFolder)
  if (running !== null) await endServer(running, stopMs)
  await mkdir(dirname(file.path), { recursive: true })
  await mkdir(dataFolder, { recursive: true, mode: 0o700 })
  // It may contain a token or the password of a database.
  await writeFile(file.path, file.text, { encoding: file.encoding, mode: 0o600 })
  await chmod(file.path, 0o600)
  for (const [program, ...args] of file.prepare ?? []) spawnSync(program!, args, { stdio: 'ignore' })
  runAll(
    file.enable,
    `The file is written, but not in use. When the cause is fixed, run:\n${commandLines(file.enable)}`,
  )
  report.answer({ installed: file.path }, () => 'The server is installed, and starts at each login.')
  return EXIT.done
}

export async function uninstallService({ env, report }: Tools, { options }: Given<Options>): Promise<number> {
  const file = serviceFile(env)
  if (!existsSync(file.path)) {
    report.answer({ removed: null }, () => `The server is not installed: there is no ${file.path}.`)
    return EXIT.done
  }
  const plan = `This runs:\n${commandLines(file.disable)}and removes ${file.path}. Recordings stay.`
  if (options['dry-run']) {
    report.answer({ path: file.path, disable: file.disable }, () => plan)
    return EXIT.done
  }
  report.note(plan)
  if (!(await confirm('Stop the server, and no longer start it at login?', options.yes === true)))
    return EXIT.failed
  try {
    runAll(file.disable)
  } catch (error) {
    // Without its service manager the service does not run, and must not come back.
    if (!(error instanceof CommandFailure)) throw error
    report.say(error.message)
  }
  // The Windows task only starts the server.
  const { dataFolder, stopMs } = validConfig(env)
  const running = await holderOf(dataFolder)
  if (running !== null) await endServer(running, stopMs)
  await rm(file.path)
  if (process.platform === 'linux') spawnSync('systemctl', ['--user', 'daemon-reload'], { stdio: 'ignore' })
  report.answer({ removed: file.path }, () => `${file.path} is removed. Recordings stay.`)
  return EXIT.done
}

function runAll(commands: string[][], hint: string | null = null): void {
  for (const [program, ...args] of commands) {
    const { status, stderr, error } = spawnSync(program!, args, { encoding: 'utf8' })
    if (status === 0) continue
    const why = error?.message ?? (stderr.trim() || `exit code ${status}`)
    throw new CommandFailure(`${[program, ...args].join(' ')} failed: ${why}`, {
      code: 'service_failed',
      hint,
    })
  }
}
