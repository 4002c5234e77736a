import { defineCommand, defineNoun } from '../command.ts'

const CHANGES = 'changes the services of the user'

const start = defineCommand({
  name: 'start',
  needs: 'folder',
  summary: 'Start the server in the background, unless it is already running',
  details: `Commands that need a server start one themselves. Its log is server.log in the data folder. Settings are environment variables: "dictation help environment".`,
  options: { foreground: { help: 'run in this terminal until Ctrl-C' } },
  examples: [{ command: 'dictation server start', meaning: 'start it, and print its address' }],
  load: async () => (await import('../server/control.ts')).startServerCommand,
})

const stop = defineCommand({
  name: 'stop',
  needs: 'folder',
  summary: 'Stop the server of the data folder; it continues unfinished work at its next start',
  examples: [{ command: 'dictation server stop', meaning: 'stop it', notRun: 'the other examples need it' }],
  load: async () => (await import('../server/control.ts')).stopServerCommand,
})

const status = defineCommand({
  name: 'status',
  summary: 'Show whether the server is running, and where (exit code 3 if it is not)',
  examples: [
    { command: 'dictation server status', meaning: 'address, version, model, jobs' },
    { command: 'dictation server status --json', meaning: 'the same for programs' },
  ],
  load: async () => (await import('../server/control.ts')).serverStatus,
})

const logs = defineCommand({
  name: 'logs',
  needs: 'folder',
  summary: 'Show the log of a server that was started in the background',
  options: {
    follow: { short: 'f', help: 'keep running and show new lines' },
    lines: { value: 'N', short: 'n', help: 'number of lines [50]' },
  },
  examples: [
    { command: 'dictation server logs --lines 5', meaning: 'the last lines' },
    {
      command: 'dictation server logs --follow',
      meaning: 'the last lines and new ones',
      notRun: 'runs until Ctrl-C',
    },
  ],
  load: async () => (await import('../server/logs.ts')).serverLogs,
})

const install = defineCommand({
  name: 'install',
  needs: 'folder',
  summary: 'Start the server at each login, as a service of this user',
  details:
    'Writes a systemd user unit, a launchd agent, or a task of the Windows task scheduler, and shows it first. Settings that are in the environment now become part of it (not on Windows).',
  options: {
    'dry-run': { help: 'only print the file' },
    yes: { short: 'y', help: 'skip the confirmation' },
  },
  examples: [
    { command: 'dictation server install --dry-run', meaning: 'show the service' },
    {
      command: 'dictation server install',
      meaning: 'show the service and install it after confirmation',
      notRun: CHANGES,
    },
  ],
  load: async () => (await import('../server/service.ts')).installService,
})

const uninstall = defineCommand({
  name: 'uninstall',
  needs: 'folder',
  summary: 'Remove the service; recordings stay',
  options: {
    'dry-run': { help: 'only print what would be removed' },
    yes: { short: 'y', help: 'skip the confirmation' },
  },
  examples: [{ command: 'dictation server uninstall', meaning: 'stop and remove it', notRun: CHANGES }],
  load: async () => (await import('../server/service.ts')).uninstallService,
})

export const SERVER = defineNoun({
  name: 'server',
  summary: 'Start, stop and install the server',
  commands: [start, stop, status, logs, install, uninstall],
})
