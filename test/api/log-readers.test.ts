// Whoever started the server may stop reading what it writes, or be gone: it hears on. The real server, its log in a fifo.
// What a line says is test/lib/log-line.test.ts's.

import { afterEach, beforeEach, expect, test } from 'bun:test'
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningServer, startServer } from '../support/server.ts'

const WITHIN_MS = 60_000
/** At some 130 bytes a line more than twice what a pipe holds. */
const REQUESTS = 1200

let folder: string
let server: RunningServer
let log: FileHandle
let url: string
/** what was read and is no whole line yet */
let rest: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dictation-log-'))
  rest = ''
})
afterEach(async () => {
  await server[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

/** @param line of a shell: what runs "$1" "$2", with its standard output in "$0" */
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

/** Reads on to the first that is wanted. */
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

async function askOften(): Promise<void> {
  for (let asked = 0; asked < REQUESTS; asked += 50) {
    const signal = AbortSignal.timeout(WITHIN_MS / 4)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => fetch(`${url}/models/status`, { signal })),
    )
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    await Promise.all(answers.map((answer) => answer.arrayBuffer()))
  }
}

/** Every line that was written while nobody read. */
async function readAll(isAnswer: (line: string) => boolean): Promise<void> {
  let answered = 0
  await lineWhere((line) => {
    if (isAnswer(line)) answered += 1
    return answered === REQUESTS
  })
}

test(
  'a log that nobody reads for a while holds nothing up, and is whole when it is read',
  async () => {
    await start('exec "$@" >"$0"')
    await askOften()
    await readAll((line) => JSON.parse(line).route === '/models/status')
    await log.close()
  },
  WITHIN_MS,
)

test(
  'what waits when the server is asked to stop is written to whoever reads it then',
  async () => {
    await start('exec "$@" >"$0"')
    await askOften()
    const stopped = server.stop()
    await readAll((line) => JSON.parse(line).route === '/models/status')
    await lineWhere((line) => JSON.parse(line).msg.startsWith('stopping'))
    expect(await stopped).toBe(0)
    await log.close()
  },
  WITHIN_MS,
)

test(
  'a log whose reader has gone holds nothing up, and the server ends as it always does',
  async () => {
    await start('exec "$@" >"$0"')
    await log.close()
    await askOften()
    expect(await server.stop()).toBe(0)
  },
  WITHIN_MS,
)

// Of util-linux; the one of macOS is asked otherwise.
test.skipIf(process.platform !== 'linux' || Bun.which('script') === null)(
  'a terminal that is stopped holds nothing up, and shows everything when it goes on',
  async () => {
    await start(`export BUN="$1" MAIN="$2"; exec script -qec 'exec "$BUN" "$MAIN"' /dev/null >"$0"`)
    await askOften()
    await readAll((line) => line.includes('answered method=GET route=/models/status status=200'))
    await log.close()
  },
  WITHIN_MS,
)
