// How a script ends: when all that it said is written, and with a code that tells where it could not be.
// A pipe takes 64 KiB, and what waits for its reader is lost with the process.

import { systemReason } from '../../src/lib/system-reason.ts'

/** What cron can act on. */
export const EXIT = { done: 0, someFailed: 1, usage: 2, server: 3, interrupted: 130 } as const

const { stdout, stderr } = process
/** Bun tells of a failed write by this event alone; what comes after it is not waited for. */
const failed = new Map<NodeJS.WriteStream, Error>()
for (const stream of [stdout, stderr])
  stream.on('error', (error) => {
    if (!failed.has(stream)) failed.set(stream, error)
  })

let ending: Promise<never> | undefined

/** The first to ask says the code: what was interrupted may come to its own end meanwhile. */
export function exitWith(code: number): Promise<never> {
  ending ??= end(code)
  return ending
}

async function end(code: number): Promise<never> {
  await written(stdout)
  const lost = whyLost(failed.get(stdout))
  if (lost !== null) stderr.write(`Not everything could be written: ${lost}.\n`)
  await written(stderr)
  process.exit(lost !== null && code === EXIT.done ? EXIT.someFailed : code)
}

/** A reader that goes has read enough. */
const whyLost = (error: Error | undefined): string | null =>
  error === undefined || ('code' in error && error.code === 'EPIPE') ? null : systemReason(error)

function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (failed.has(stream)) return resolve()
    stream.once('error', () => resolve())
    stream.end(() => resolve())
  })
}
