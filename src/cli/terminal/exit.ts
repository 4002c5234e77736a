// Exits a command after all its output is written, with a code that reports failed writes. A pipe takes 64 KiB; unread
// output would be lost with the process.

import { systemReason } from '../../lib/os-errors.ts'

/** For cron and other programs; `dictation help exit-codes` explains them. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  server: 3,
  token: 4,
  notFound: 5,
  interrupted: 130,
} as const

const { stdout, stderr } = process
/** Bun reports a failed write only by this event, and does not wait for later writes. */
const failed = new Map<NodeJS.WriteStream, Error>()
for (const stream of [stdout, stderr])
  stream.on('error', (error) => {
    if (!failed.has(stream)) failed.set(stream, error)
  })

let ending: Promise<never> | undefined

/** The first caller determines the code: an interrupted command may reach its normal end meanwhile. */
export function exitWith(code: number): Promise<never> {
  ending ??= end(code)
  return ending
}

async function end(code: number): Promise<never> {
  await written(stdout)
  const lost = whyLost(failed.get(stdout))
  if (lost !== null) stderr.write(`Some output could not be written: ${lost}.\n`)
  await written(stderr)
  process.exit(lost !== null && code === EXIT.done ? EXIT.failed : code)
}

/** A closed pipe is not an error: the reader has read enough. */
const whyLost = (error: Error | undefined): string | null =>
  error === undefined || ('code' in error && error.code === 'EPIPE') ? null : systemReason(error)

function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (failed.has(stream)) return resolve()
    stream.once('error', () => resolve())
    stream.end(() => resolve())
  })
}
