// The log: one JSON object a line, or readable lines on a terminal.
// Never given transcript text, prompts or tokens; callers log ids, codes and numbers.

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

/** How long the last lines wait for whoever reads slowly, when the server has stopped. */
const LAST_LINES_MS = 2000

export type OpenedLog = {
  /** what is logged before a crash is there after it, where its reader has not stopped reading */
  log: Log
  /** before the process ends: until all is read, or two seconds have gone by */
  lastLines(): Promise<void>
}

export async function createLog(level: string): Promise<OpenedLog> {
  const { stdout } = process
  // The reader has gone, or the disk is full: there is nobody to be told, and the next line may come through.
  stdout.on('error', () => {})
  const output = createLogOutput((stdout.isTTY && openTerminal()) || stdout, {
    onLost: (lines) => log.warn({ lines }, 'lines of the log were left out here: nobody read them'),
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
