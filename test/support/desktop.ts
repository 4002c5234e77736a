// A separate desktop: Xvfb with a window manager, keys from xdotool, and the programs that a test starts on it.

import { type Browser, chromium } from 'playwright-core'
import { browserLaunch } from './browser.ts'
import { until } from './until.ts'

const NEEDED = ['Xvfb', 'openbox', 'xdotool', 'xprop', 'xterm', 'xclip', 'node']
const missing = NEEDED.filter((program) => Bun.which(program) === null)
if (missing.length > 0) console.warn(`skipped: a desktop for tests needs ${missing.join(', ')}`)

export const hasDesktop = missing.length === 0

export type Desktop = {
  env: Record<string, string>
  /** the output of a program */
  run(command: string[], input?: string): Promise<string>
  start(command: string[]): Bun.Subprocess
  keyDown(...keys: string[]): Promise<void>
  keyUp(...keys: string[]): Promise<void>
  /** brings the window of an application to the front */
  focus(className: string): Promise<void>
  openBrowser(): Promise<Browser>
  [Symbol.asyncDispose](): Promise<void>
}

export async function openDesktop(runtimeFolder: string): Promise<Desktop> {
  const started: Bun.Subprocess[] = []
  const quiet = { stdout: 'ignore', stderr: 'ignore' } as const
  const xvfb = Bun.spawn(['Xvfb', '-displayfd', '1', '-screen', '0', '1024x768x24', '-nolisten', 'tcp'], {
    stdout: 'pipe',
    stderr: 'ignore',
  })
  const display = await firstLine(xvfb.stdout)
  const { WAYLAND_DISPLAY: _, ...own } = process.env as Record<string, string>
  const env = { ...own, DISPLAY: `:${display}`, XDG_SESSION_TYPE: 'x11', XDG_RUNTIME_DIR: runtimeFolder }
  const start = (command: string[]) => {
    const child = Bun.spawn(command, { env, stdin: 'ignore', ...quiet })
    started.push(child)
    return child
  }
  const run = async (command: string[], input?: string) => {
    const stdin = input === undefined ? 'ignore' : new Blob([input])
    // A copy of xclip stays in the background; it must not hold the output open.
    const stdout = input === undefined ? 'pipe' : 'ignore'
    const child = Bun.spawn(command, { env, stdin, stdout, stderr: 'ignore' })
    const text = child.stdout === undefined ? '' : await new Response(child.stdout as ReadableStream).text()
    await child.exited
    return text
  }
  let manager = start(['openbox'])
  await until(async () => {
    // It ends if the display does not accept clients yet.
    if (manager.exitCode !== null) manager = start(['openbox'])
    return (await run(['xprop', '-root', '_NET_SUPPORTING_WM_CHECK'])).includes('0x')
  })
  const sendKeys = async (action: string, keys: string[]) => {
    for (const key of keys) await run(['xdotool', action, key])
  }
  return {
    env,
    run,
    start,
    keyDown: (...keys) => sendKeys('keydown', keys),
    keyUp: (...keys) => sendKeys('keyup', keys),
    async focus(className) {
      let active = ''
      await until(
        async () => {
          // Searched again each time: a browser replaces windows.
          const found = (await run(['xdotool', 'search', '--onlyvisible', '--class', className])).trim()
          if (found === '') return false
          const window = found.split('\n').at(-1)!
          await run(['xdotool', 'windowactivate', window])
          active = (await run(['xdotool', 'getactivewindow'])).trim()
          return active === window
        },
        { what: () => `the focus of ${className}; the active window is ${active}` },
      )
    },
    openBrowser: () => chromium.launch({ ...browserLaunch(), headless: false, env }),
    async [Symbol.asyncDispose]() {
      for (const child of started.toReversed()) child.kill()
      xvfb.kill()
      await xvfb.exited
    },
  }
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = ''
  for await (const bytes of stream) {
    text += new TextDecoder().decode(bytes)
    if (text.includes('\n')) break
  }
  return text.trim()
}
