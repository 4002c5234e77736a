// npm run dev: restarts the server after each source change and rebuilds the page. Uses its own archive, so that a
// developer's mistake cannot damage real dictations.

import { watch } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { optionsOrExit } from './options.ts'
import { BUILT, buildPage } from './page.ts'

const root = resolve(import.meta.dir, '..')
const WATCHED = ['src', 'db', 'wasm']
const UI = join('src', 'ui')
/** Debounce: editors and git write many files at once, and some of them twice. */
const SETTLED_MS = 150

const env = {
  ...process.env,
  // Next to the installed server, which uses 17493.
  PORT: process.env.PORT || '17494',
  DICTATION_DATA_DIR: process.env.DICTATION_DATA_DIR || join(root, '.dev'),
  DICTATION_LOG_LEVEL: process.env.DICTATION_LOG_LEVEL || 'debug',
}

optionsOrExit(
  {},
  `usage: npm run dev
Runs the server from src/ on http://localhost:${env.PORT} with its data in ${env.DICTATION_DATA_DIR},
and restarts it after each source change. Takes the same settings as npm start.`,
)

const start = () =>
  Bun.spawn([process.execPath, join(root, 'src', 'main.ts')], {
    env,
    stdio: ['inherit', 'inherit', 'inherit'],
    onExit(_, code) {
      if (code) say(`the server exited with ${code}; the next change restarts it`)
    },
  })

const say = (line: string) => console.error(`dev: ${line}`)

let server = start()
let isEnding = false
let settled: ReturnType<typeof setTimeout> | undefined
let restarted = Promise.resolve()

/**
 * One restart at a time: the next server waits for the lock of the archive, which the previous one releases at its end.
 */
async function restart(changed: string): Promise<void> {
  say(`${changed} has changed`)
  if (isUnder(UI, changed)) await buildPage(BUILT).catch((error: unknown) => say(String(error)))
  server.kill('SIGTERM')
  await server.exited
  if (!isEnding) server = start()
}

const isUnder = (folder: string, path: string): boolean => path.startsWith(folder + sep)

function onChange(changed: string): void {
  if (!/\.(tsx?|css|sql|json|wasm)$/.test(changed) || isUnder(relative(root, BUILT), changed)) return
  clearTimeout(settled)
  settled = setTimeout(() => {
    restarted = restarted.then(() => restart(changed))
  }, SETTLED_MS)
}

for (const folder of WATCHED)
  watch(join(root, folder), { recursive: true }, (_, name) => name && onChange(join(folder, name)))

async function end(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP'): Promise<void> {
  isEnding = true
  clearTimeout(settled)
  // In a terminal Ctrl-C reaches the server by itself, and a second signal means "exit at once".
  if (signal !== 'SIGINT' || !process.stdin.isTTY) server.kill(signal)
  await restarted
  await server.exited
  process.exit(0)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(signal))
