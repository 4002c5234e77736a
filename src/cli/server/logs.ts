// dictation server logs: the log of a server in the background, which consists of JSON objects, except where a start
// failed or the server crashed.

import { createReadStream, existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Given } from '../command.ts'
import { EXIT } from '../terminal/exit.ts'
import { CommandFailure, UsageError } from '../terminal/failure.ts'
import type { Tools } from '../tools.ts'
import { validConfig } from '../valid-config.ts'
import { logFileOf } from './background.ts'

const LINES = 50
const FOLLOW_EVERY_MS = 300

export async function serverLogs(
  tools: Tools,
  { options }: Given<{ follow?: boolean; lines?: string }>,
): Promise<number> {
  const log = logFileOf(validConfig(tools.env).dataFolder)
  const lines = options.lines === undefined ? LINES : Number(options.lines)
  if (!Number.isInteger(lines) || lines < 1)
    throw new UsageError(`--lines must be a whole number from 1, not ${options.lines}.`)
  if (!existsSync(log))
    throw new CommandFailure(`There is no log at ${log}.`, {
      code: 'log_not_found',
      exitCode: EXIT.notFound,
      hint: 'Only a server that ran in the background has one: dictation server start',
    })
  const output = outputFor(tools)
  const { bytes, end } = await lastLines(log, lines)
  output.write(bytes)
  if (options.follow) await follow(log, end, output)
  output.end()
  return EXIT.done
}

type Output = { write(bytes: Uint8Array): void; end(): void }

/** With --json, any other line becomes an object, too. */
function outputFor({ report, isJson }: Tools): Output {
  if (!isJson) return { write: (bytes) => report.result(bytes), end() {} }
  const decoder = new TextDecoder()
  let unfinished = ''
  return {
    write(bytes) {
      const lines = (unfinished + decoder.decode(bytes, { stream: true })).split('\n')
      unfinished = lines.pop()!
      for (const line of lines) report.result(`${asObject(line)}\n`)
    },
    end() {
      if (unfinished !== '') report.result(`${asObject(unfinished)}\n`)
    },
  }
}

function asObject(line: string): string {
  try {
    JSON.parse(line)
    if (line.startsWith('{')) return line
  } catch {
    // A sentence, or a line of a stack trace.
  }
  return JSON.stringify({ text: line })
}

const BLOCK_BYTES = 64 * 1024
const LINE_BREAK = 10

/** Reads backwards, because the log may be large. */
async function lastLines(log: string, count: number): Promise<{ bytes: Uint8Array; end: number }> {
  const { size: end } = await stat(log)
  for (let length = BLOCK_BYTES; ; length *= 4) {
    const from = Math.max(0, end - length)
    const bytes = Buffer.from(await Bun.file(log).slice(from, end).arrayBuffer())
    // The last line ends with a line break, too.
    let at = bytes.length - 1
    for (let line = 0; line < count && at >= 0; line++)
      at = at === 0 ? -1 : bytes.lastIndexOf(LINE_BREAK, at - 1)
    if (at >= 0 || from === 0) return { bytes: bytes.subarray(at + 1), end }
  }
}

/** Until Ctrl-C. A shorter file is a new one. */
async function follow(log: string, from: number, output: Output): Promise<never> {
  for (let at = from; ; await sleep(FOLLOW_EVERY_MS)) {
    const size = (await stat(log).catch(() => null))?.size ?? 0
    if (size < at) at = 0
    if (size === at) continue
    for await (const chunk of createReadStream(log, { start: at, end: size - 1 })) output.write(chunk)
    at = size
  }
}
