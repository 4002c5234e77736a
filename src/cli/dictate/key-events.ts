// The keys of the whole desktop, from a Node process with uiohook-napi: its events, and keys pressed through it.

import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import type { Environment } from '../../config.ts'
import { ownFile } from '../../lib/own-files.ts'
import listener from './key-listener.mjs' with { type: 'file' }

export type KeyEvents = {
  /** presses the last key while the others are down */
  press(keys: string[]): void
  stop(): void
}

export type KeyEventOptions = {
  env: Environment
  dataFolder: string
  /** `at`: Date.now() of the key; this process may be busy when it learns of it */
  onKey: (event: 'down' | 'up', key: string, at: number) => void
  /** called once if there are no events or no more: a sentence that says why and what to do */
  onUnavailable: (why: string) => void
  onReady: () => void
}

const INSTEAD = 'Until then, bind "dictation toggle" to a shortcut of your desktop (docs/dictate.md).'

/** Where the module is installed by hand, if the program is a single file. */
const folderOf = (dataFolder: string) => join(dataFolder, 'key-listener')

/** Null and `onUnavailable` if the system cannot report keys. */
export async function listenToKeys(options: KeyEventOptions): Promise<KeyEvents | null> {
  const { env, dataFolder, onKey, onReady, onUnavailable } = options
  const node = Bun.which('node')
  const without = whyNoKeys(env, process.platform) ?? (node === null ? NO_NODE : null)
  if (without !== null) {
    onUnavailable(without)
    return null
  }
  const script = await Bun.file(listener).text()
  const from = [ownFile('package.json'), join(folderOf(dataFolder), 'package.json')]
  const child = Bun.spawn([node!, '--input-type=module', '--eval', script, '--', ...from], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  let isStopped = false
  let failure: string | null = null
  const errors = new Response(child.stderr).text()
  const lines = createInterface({ input: Readable.fromWeb(child.stdout as never) })
  lines.on('line', (line) => {
    const message = JSON.parse(line)
    if (message.event === 'ready') onReady()
    else if (message.event === 'failed') failure = sentenceOf(message, dataFolder)
    else onKey(message.event, message.key, message.at)
  })
  void child.exited.then(async (code) => {
    if (isStopped) return
    const said = (await errors).trim().split('\n').at(-1)
    onUnavailable(failure ?? `The key listener ended (${said || code}). ${INSTEAD}`)
  })
  const write = (text: string) => {
    child.stdin.write(text)
    child.stdin.flush()
  }
  return {
    press: (keys) => write(`${JSON.stringify(keys)}\n`),
    stop() {
      isStopped = true
      child.stdin.end()
      child.kill()
    },
  }
}

const NO_NODE = `Keys are read by a Node process, and there is no "node" on the PATH. Install Node 20 or newer. ${INSTEAD}`

/** Null if keys can be read. */
function whyNoKeys(env: Environment, platform: NodeJS.Platform): string | null {
  if (platform === 'darwin' || platform === 'win32') return null
  if (env.XDG_SESSION_TYPE === 'wayland' || (env.WAYLAND_DISPLAY && !env.DISPLAY))
    return 'Wayland gives programs no keys of other windows. Bind "dictation toggle" to a shortcut of your desktop (docs/dictate.md).'
  if (!env.DISPLAY)
    return 'There is no desktop here: DISPLAY is not set. Start it in a terminal of the desktop.'
  return null
}

function sentenceOf({ reason, message }: { reason: string; message: string }, dataFolder: string): string {
  switch (reason) {
    case 'module':
      return `The package uiohook-napi is not installed. Install it: npm install --prefix "${folderOf(dataFolder)}" uiohook-napi@1.5.5. ${INSTEAD}`
    case 'library':
      return `The package uiohook-napi cannot be loaded (${message}). On Linux it needs libX11, libXtst and libXt: install libxtst6 and libxt6. ${INSTEAD}`
    default:
      return `Keys cannot be read (${message}). ${process.platform === 'darwin' ? MAC_RIGHTS : INSTEAD}`
  }
}

export const MAC_RIGHTS =
  'Allow your terminal under System Settings, Privacy & Security: Accessibility and Input Monitoring. Then start it again.'
