// The log: one JSON object per line, or readable lines on a terminal.
// Never log transcript text, prompts or tokens; log ids, codes and numbers.

import pino from 'pino'
import { logLine } from './log-line.ts'
import { createLogOutput, type LogOutput } from './log-output.ts'
import { openTerminal } from './terminal-output.ts'

export type Log = {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** How long a stopping server waits for a slow reader to take the last lines. */
const LAST_LINES_MS = 2000

export type OpenedLog = {
  /** lines logged before a crash survive it, unless their reader has stopped reading */
  log: Log
  /** call before the process ends: waits until all is read, at most two seconds */
  lastLines(): Promise<void>
}

export async function createLog(level: string): Promise<OpenedLog> {
  const { stdout } = process
  // The reader has closed the pipe or the disk is full. Nothing can report that; a later line may succeed.
  stdout.on('error', () => {})
  const output = createLogOutput((stdout.isTTY && openTerminal()) || stdout, {
    onLost: (lines) => log.warn({ lines }, 'dropped log lines: the reader was too slow'),
  })
  const formatters = { level: (label: string) => ({ level: label }) }
  const log: Log = pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters },
    stdout.isTTY ? await asSentences(output) : output,
  )
  return { log, lastLines: () => Promise.race([output.drained(), Bun.sleep(LAST_LINES_MS)]) }
}

async function asSentences(output: LogOutput): Promise<LogOutput> {
  const { prettyFactory } = await import('pino-pretty')
  const sentenceOf = prettyFactory({
    translateTime: 'SYS:HH:MM:ss',
    hideObject: true,
    messageFormat: ({ level, time, msg, ...fields }) => logLine(fields, String(msg)),
  })
  return { write: (line) => output.write(sentenceOf(line)) }
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} }
