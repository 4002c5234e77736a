// The terminal on standard output, which is never waited for: who stops it (Ctrl+S) stops no server.
// To a pipe Bun writes what it takes, but to a terminal until all is written: so it has a handle of its own here.

import { constants, openSync, writeSync } from 'node:fs'
import type { LineStream } from './log-output.ts'

/** A person sees no difference. */
const AGAIN_MS = 50

const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants

/** Null where it cannot be opened once more. On macOS the new handle is the old one, and waits as that does. */
export function openTerminal(): LineStream | null {
  const fd = openAgain()
  if (fd === null) return null
  const waiting: { rest: Uint8Array; done: () => void }[] = []
  let isAtIt = false

  const writeOn = (): void => {
    isAtIt = true
    for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
      try {
        first.rest = first.rest.subarray(writeSync(fd, first.rest))
      } catch (error) {
        if (isFull(error)) return void setTimeout(writeOn, AGAIN_MS).unref()
        // The window was closed: there is nobody to be told.
        first.rest = first.rest.subarray(first.rest.length)
      }
      if (first.rest.length > 0) continue
      waiting.shift()
      first.done()
    }
    isAtIt = false
  }
  return {
    write(line, done) {
      waiting.push({ rest: Buffer.from(line), done })
      if (!isAtIt) writeOn()
    },
  }
}

function openAgain(): number | null {
  try {
    return openSync('/dev/fd/1', O_WRONLY | O_NONBLOCK | O_NOCTTY)
  } catch {
    return null
  }
}

const isFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EAGAIN'
