// A slow, stopped or closed reader of the log never blocks the server. The real server, with its log in a fifo.

import { afterEach, beforeEach, expect, test } from 'bun:test'
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningServer, startServer } from '../support/server.ts'

const WITHIN_MS = 120_000
/** At about 130 bytes a line, more than twice the capacity of a pipe. */
const REQUESTS = 1200

let folder: string
let server: RunningServer
let log: FileHandle
let url: string
/** an incomplete line that was read */
let rest: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dictation-log-'))
  rest = ''
})
afterEach(async () => {
  await server[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

/** @param line shell command that runs "$1" "$2" with standard output to "$0" */
async function start(line: string): Promise<void> {
  const fifo = join(folder, 'log')
  await Bun.$`mkfifo ${fifo}`
  const opening = open(fifo, 'r')
  const env = { DICTATION_LOG_LEVEL: 'debug' }
  server = await startServer({ within: ['sh', '-c', line, fifo], untilReady: false, env })
  log = await opening
  const ready = await lineWhere((one) => /ready url=|"ready"/.test(one))
  url = /http:\/\/127\.0\.0\.1:\d+/.exec(ready)![0]
}

/** Reads up to the first matching line. */
async function lineWhere(isWanted: (line: string) => boolean): Promise<string> {
  for (;;) {
    const end = rest.indexOf('\n')
    if (end >= 0) {
      const line = rest.slice(0, end)
      rest = rest.slice(end + 1)
      if (isWanted(line)) return line
      continue
    }
    const { bytesRead, buffer } = await log.read(Buffer.alloc(65_536))
    if (bytesRead === 0) throw new Error('the log ended')
    rest += buffer.toString('utf8', 0, bytesRead)
  }
}

async function sendRequests(): Promise<void> {
  for (let sent = 0; sent < REQUESTS; sent += 50) {
    const signal = AbortSignal.timeout(WITHIN_MS / 8)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => fetch(`${url}/models/status`, { signal })),
    )
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    await Promise.all(answers.map((answer) => answer.arrayBuffer()))
  }
}

/** Reads every line that was written while nothing read the log. */
async function readAll(isAnswer: (line: string) => boolean): Promise<void> {
  let answered = 0
  await lineWhere((line) => {
    if (isAnswer(line)) answered += 1
    return answered === REQUESTS
  })
}

test(
  'an unread log does not block the server, and is complete when it is read, also during a stop',
  async () => {
    await start('exec "$@" >"$0"')
    const isAnswer = (line: string) => JSON.parse(line).route === '/models/status'
    await sendRequests()
    await readAll(isAnswer)
    await sendRequests()
    const stopped = server.stop()
    await readAll(isAnswer)
    await lineWhere((line) => JSON.parse(line).msg.startsWith('stopping'))
    expect(await stopped).toBe(0)
    await log.close()
  },
  WITHIN_MS,
)

test(
  'a log whose reader has gone does not block the server, which still stops normally',
  async () => {
    await start('exec "$@" >"$0"')
    await log.close()
    await sendRequests()
    expect(await server.stop()).toBe(0)
  },
  WITHIN_MS,
)

// The `script` of util-linux; macOS has different options.
test.skipIf(process.platform !== 'linux' || Bun.which('script') === null)(
  'a stopped terminal does not block the server, and shows everything when it continues',
  async () => {
    await start(`export BUN="$1" MAIN="$2"; exec script -qec 'exec "$BUN" "$MAIN"' /dev/null >"$0"`)
    await sendRequests()
    await readAll((line) => line.includes('answered method=GET route=/models/status status=200'))
    await log.close()
  },
  WITHIN_MS,
)
