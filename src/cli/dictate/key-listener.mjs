// Runs in Node, because uiohook-napi crashes in Bun (oven-sh/bun issue 18546). Writes a JSON line for each key that goes
// down or up anywhere on the desktop, and presses keys that arrive as JSON lines on stdin.
// Arguments: files from which `uiohook-napi` is resolved; the first that has it counts.

import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'

const write = (message) => process.stdout.write(`${JSON.stringify(message)}\n`)

function failed(reason, error) {
  write({ event: 'failed', reason, message: String(error?.message ?? error) })
  process.exitCode = 1
}

function load() {
  const requires = process.argv.slice(1).map((from) => createRequire(from))
  const found = requires.find((require) => canResolve(require))
  if (found === undefined) return failed('module', 'not found')
  try {
    return found('uiohook-napi')
  } catch (error) {
    return failed('library', error)
  }
}

function canResolve(require) {
  try {
    return Boolean(require.resolve('uiohook-napi'))
  } catch {
    return false
  }
}

const hook = load()
if (hook) {
  const { uIOhook, UiohookKey } = hook
  const names = new Map(Object.entries(UiohookKey).map(([name, code]) => [code, name]))
  const report = (event) => (input) => {
    const key = names.get(input.keycode)
    if (key !== undefined) write({ event, key, at: Date.now() })
  }
  uIOhook.on('keydown', report('down'))
  uIOhook.on('keyup', report('up'))
  try {
    uIOhook.start()
    write({ event: 'ready' })
  } catch (error) {
    failed('start', error)
  }
  createInterface({ input: process.stdin })
    .on('line', (line) => {
      const codes = JSON.parse(line).map((name) => UiohookKey[name])
      uIOhook.keyTap(codes.at(-1), codes.slice(0, -1))
    })
    // The parent has ended.
    .on('close', () => process.exit())
}
