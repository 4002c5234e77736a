// The service definitions of systemd, launchd and the Windows task scheduler, as text.

import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from '../../config.ts'

export type ServiceParts = {
  /** the server itself; on Windows the command that starts it in the background */
  command: string[]
  settings: [name: string, value: string][]
  log: string
  /** how long a stop waits for requests in flight */
  stopSeconds: number
}

export type ServiceFile = {
  path: string
  text: string
  /** UTF-16 for the Windows task scheduler */
  encoding: 'utf8' | 'utf16le'
  /** run before `enable`; may fail */
  prepare?: string[][]
  /** run after the file is written, and before it is removed */
  enable: string[][]
  disable: string[][]
}

const NAME = 'local-dictation'
/** After the requests in flight, the server closes its database. */
const CLOSING_SECONDS = 30
const SUMMARY = 'Local Dictation: speech to text on this computer'

export function systemdUnit(
  { command, settings, log, stopSeconds }: ServiceParts,
  env: Environment,
): ServiceFile {
  const folder = join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'systemd', 'user')
  const unit = `${NAME}.service`
  const quoted = (text: string) => `"${text.replace(/[\\"]/g, '\\$&').replaceAll('%', '%%')}"`
  const word = (text: string) => quoted(text).replaceAll('$', '$$$$')
  const text = `[Unit]
Description=${SUMMARY}

[Service]
Type=exec
# Begins a new log if it is large. Each command opens the log by itself.
ExecStartPre=-find ${word(log)} -size +20M -exec mv {} ${word(`${log}.1`)} \\;
ExecStart=${command.map(word).join(' ')}
${settings.map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}\n`).join('')}# Further settings, one NAME=value per line:
EnvironmentFile=-%E/${NAME}/env
StandardOutput=append:${log.replaceAll('%', '%%')}
StandardError=inherit
Restart=on-failure
RestartSec=2
KillMode=mixed
TimeoutStopSec=${stopSeconds + CLOSING_SECONDS}
UMask=0077
NoNewPrivileges=yes

[Install]
WantedBy=default.target
`
  return {
    path: join(folder, unit),
    text,
    encoding: 'utf8',
    enable: [
      ['systemctl', '--user', 'daemon-reload'],
      ['systemctl', '--user', 'enable', '--now', unit],
    ],
    disable: [['systemctl', '--user', 'disable', '--now', unit]],
  }
}

const xml = (text: string): string =>
  text.replace(/[&<>"]/g, (one) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[one]!)

export function launchAgent(
  { command, settings, log, stopSeconds }: ServiceParts,
  userId: number,
): ServiceFile {
  const path = join(homedir(), 'Library', 'LaunchAgents', `${NAME}.plist`)
  const strings = command.map((word) => `    <string>${xml(word)}</string>`).join('\n')
  const variables = settings
    .map(([name, value]) => `    <key>${name}</key><string>${xml(value)}</string>\n`)
    .join('')
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key><string>${NAME}</string>
  <key>ProgramArguments</key>
  <array>
${strings}
  </array>
  <key>EnvironmentVariables</key>
  <dict>
${variables}  </dict>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key>
  <dict><key>SuccessfulExit</key><false/></dict>
  <key>ProcessType</key><string>Interactive</string>
  <key>StandardOutPath</key><string>${xml(log)}</string>
  <key>StandardErrorPath</key><string>${xml(log)}</string>
  <key>ExitTimeOut</key><integer>${stopSeconds + CLOSING_SECONDS}</integer>
  <key>Umask</key><integer>63</integer>
</dict>
</plist>
`
  return {
    path,
    text,
    encoding: 'utf8',
    // A loaded agent cannot be loaded again.
    prepare: [['launchctl', 'bootout', `gui/${userId}/${NAME}`]],
    enable: [['launchctl', 'bootstrap', `gui/${userId}`, path]],
    disable: [['launchctl', 'bootout', `gui/${userId}/${NAME}`]],
  }
}

/** A task has no environment of its own: settings are those of the user's account. */
export function windowsTask({ command }: ServiceParts, dataFolder: string): ServiceFile {
  const path = join(dataFolder, 'server-task.xml')
  const [program, ...args] = command
  const argumentsText = args
    .map((word) => (/[\s"]/.test(word) ? `"${word.replaceAll('"', '\\"')}"` : word))
    .join(' ')
  const text = `\uFEFF<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo><Description>${SUMMARY}</Description></RegistrationInfo>
  <Triggers><LogonTrigger><Enabled>true</Enabled></LogonTrigger></Triggers>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <Hidden>true</Hidden>
  </Settings>
  <Actions>
    <Exec><Command>${xml(program!)}</Command><Arguments>${xml(argumentsText)}</Arguments></Exec>
  </Actions>
</Task>
`
  return {
    path,
    text,
    encoding: 'utf16le',
    enable: [
      ['schtasks', '/Create', '/F', '/TN', NAME, '/XML', path],
      ['schtasks', '/Run', '/TN', NAME],
    ],
    disable: [['schtasks', '/Delete', '/F', '/TN', NAME]],
  }
}
