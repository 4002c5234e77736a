import { defineCommand } from '../command.ts'

export const OPEN = defineCommand({
  name: 'open',
  summary: 'Open the page in the browser',
  examples: [{ command: 'dictation open', meaning: 'open it, or print its address without a browser' }],
  load: async () => (await import('../open/open.ts')).openPage,
})

export const WELCOME = defineCommand({
  name: 'welcome',
  summary: 'Start the server, open the page, and show what to type next',
  isHidden: true,
  load: async () => (await import('../open/open.ts')).welcome,
})

export const DOCTOR = defineCommand({
  name: 'doctor',
  summary: 'Check the installation, and print a fix for each problem',
  details: 'Exit code 1 if there is a problem. Notes are not problems.',
  examples: [
    { command: 'dictation doctor', meaning: 'port, disk, model, threads, token, folder, microphone' },
    { command: 'dictation doctor --json', meaning: 'the same for programs' },
  ],
  load: async () => (await import('../doctor/doctor.ts')).doctor,
})

export const API = defineCommand({
  name: 'api',
  summary: 'Send any request to the API, and print the response',
  details: '"dictation open" and then /docs shows every request.',
  arguments: [
    { name: 'METHOD', help: 'GET, POST, PUT, PATCH, DELETE or HEAD' },
    { name: 'PATH', help: 'such as /captures?limit=3' },
  ],
  options: {
    data: { value: 'TEXT', short: 'd', help: 'the body: a text, @FILE, or - for standard input' },
    type: { value: 'TYPE', help: 'the media type of the body [detected: JSON, text, or bytes]' },
    field: {
      value: 'NAME=VALUE',
      short: 'F',
      help: 'a field of a form; NAME=@FILE sends a file',
      many: true,
    },
  },
  examples: [
    { command: 'dictation api GET /captures?limit=3', meaning: 'the latest captures' },
    { command: `dictation api PATCH /settings/captures -d '{"language":"en"}'`, meaning: 'change a setting' },
    { command: 'dictation api POST /transcribe -F file=@memo.flac', meaning: 'transcribe a file' },
    { command: 'dictation api POST /captures -d @memo.flac', meaning: 'send a file as the whole body' },
  ],
  load: async () => (await import('../api/api.ts')).callApi,
})
