// Non-blocking writes to a terminal on standard output: a user who stops it (Ctrl+S) must not stop the server.
// Bun writes to a pipe without blocking but to a terminal until all is written, so this opens a handle of its own.

import { constants, openSync, writeSync } from 'node:fs'
import type { LineStream } from './log-output.ts'

/** Not noticeable to a user. */
const AGAIN_MS = 50

const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants

/**
 * Null if the terminal cannot be opened again. On macOS the new handle shares the old one's mode and blocks as well.
 */
export function openTerminal(): LineStream | null {
  const fd = openAgain()
  if (fd === null) return null
  const waiting: { rest: Uint8Array; done: () => void }[] = []
  let isWriting = false

  const writeNext = (): void => {
    isWriting = true
    for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
      try {
        first.rest = first.rest.subarray(writeSync(fd, first.rest))
      } catch (error) {
        if (isFull(error)) return void setTimeout(writeNext, AGAIN_MS).unref()
        // The terminal was closed; nothing can report that.
        first.rest = first.rest.subarray(first.rest.length)
      }
      if (first.rest.length > 0) continue
      waiting.shift()
      first.done()
    }
    isWriting = false
  }
  return {
    write(line, done) {
      waiting.push({ rest: Buffer.from(line), done })
      if (!isWriting) writeNext()
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
