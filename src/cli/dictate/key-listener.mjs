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

/** An event that seems later than this has a clock that was set, wrapped around or counts in another unit. */
const MAX_LATE_MS = 2000
let offset = Number.POSITIVE_INFINITY

/**
 * When the key moved, by Date.now(): this process may learn of it late, and a press would seem shorter than it was.
 * @param time milliseconds of the system's own clock; the least late event shows the offset between both, which drifts
 */
function momentOf(time) {
  const now = Date.now()
  const late = now - time - offset
  offset = Math.abs(late) > MAX_LATE_MS ? now - time : Math.min(offset + 1, now - time)
  return offset + time
}

const hook = load()
if (hook) {
  const { uIOhook, UiohookKey } = hook
  const names = new Map(Object.entries(UiohookKey).map(([name, code]) => [code, name]))
  const report = (event) => (input) => {
    const key = names.get(input.keycode)
    if (key !== undefined) write({ event, key, at: momentOf(input.time) })
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
