// The log: one JSON object per line, or readable lines on a terminal.
// Never log transcript text, prompts or tokens; log ids, codes and numbers.

import { constants, openSync, writeSync } from 'node:fs'
import pino from 'pino'

/** Characters that can neither be mistaken for the end of a value nor move the cursor. */
const PLAIN = /^[\p{L}\p{N}_.:/+{}[\]@%*-]+$/u

export function logLine(fields: object, message: string): string {
  const words = [message]
  const below: string[] = []
  for (const [name, value] of Object.entries(fields)) {
    const stack = stackOf(value)
    if (stack === null) words.push(`${name}=${valueInWords(value)}`)
    else below.push(stack)
  }
  return [words.join(' '), ...below].join('\n')
}

const stackOf = (value: unknown): string | null =>
  typeof value === 'object' && value !== null && 'stack' in value ? String(value.stack) : null

function valueInWords(value: unknown): string {
  if (typeof value === 'string') return PLAIN.test(value) ? value : JSON.stringify(value)
  if (Array.isArray(value)) return value.map(valueInWords).join(',')
  return JSON.stringify(value) ?? 'undefined'
}

/** Some ten thousand requests. Counted here because Bun's standard output does not report its buffered bytes. */
const MAX_WAITING_BYTES = 1024 * 1024

export type LogOutput = {
  /** a whole line with its line break; written at once if the system accepts it, so that it survives a kill */
  write(line: string): void
}

export type LineStream = {
  /** calls `done` once the line was written or can never be */
  write(line: string, done: () => void): unknown
}

type Options = {
  /** called before the next line is written; `lines` were dropped in between */
  onLost: (lines: number) => void
  maxWaitingBytes?: number
}

export type WaitedLog = LogOutput & {
  /** resolves when no line is waiting; never, if nothing reads the log */
  drained(): Promise<void>
}

export function createLogOutput(
  stream: LineStream,
  { onLost, maxWaitingBytes = MAX_WAITING_BYTES }: Options,
): WaitedLog {
  let waitingBytes = 0
  let lost = 0
  const onDrained: (() => void)[] = []

  const reportLost = (): void => {
    const lines = lost
    lost = 0
    if (lines > 0) onLost(lines)
  }
  const written = (bytes: number): void => {
    waitingBytes -= bytes
    if (waitingBytes > 0) return
    reportLost()
    for (const resolve of onDrained.splice(0)) resolve()
  }
  const hasRoom = (bytes: number): boolean => {
    // One gap instead of many: after a loss, accept lines again only when the reader has taken half of the buffer.
    if (lost > 0) return waitingBytes <= maxWaitingBytes / 2
    return waitingBytes === 0 || waitingBytes + bytes <= maxWaitingBytes
  }
  return {
    write(line) {
      const bytes = Buffer.byteLength(line)
      if (!hasRoom(bytes)) {
        lost += 1
        return
      }
      reportLost()
      waitingBytes += bytes
      stream.write(line, () => written(bytes))
    },
    drained: () => new Promise((resolve) => (waitingBytes === 0 ? resolve() : onDrained.push(resolve))),
  }
}

/** Not noticeable to a user. */
const AGAIN_MS = 50

const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants

/**
 * Null if the terminal cannot be opened again. On macOS the new handle shares the old one's mode and blocks as well.
 */
function openTerminal(): LineStream | null {
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
