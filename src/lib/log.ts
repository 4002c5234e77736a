// The log: one JSON object a line, or readable lines on a terminal.
// Never given transcript text, prompts or tokens; callers log ids, codes and numbers.

import pino from 'pino'
import { logLine } from './log-line.ts'

export type Log = {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Writes synchronously: what was logged before a crash is there after it. */
export async function createLog(level: string): Promise<Log> {
  const destination = process.stdout.isTTY
    ? (await import('pino-pretty')).default({
        sync: true,
        translateTime: 'SYS:HH:MM:ss',
        hideObject: true,
        messageFormat: ({ level, time, msg, ...fields }) => logLine(fields, String(msg)),
      })
    : pino.destination({ fd: 1, sync: true })
  const formatters = { level: (label: string) => ({ level: label }) }
  const log: Log = pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters },
    destination,
  )
  return log
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} }
