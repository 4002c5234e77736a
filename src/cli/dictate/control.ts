// The socket through which `dictation toggle` reaches the running `dictation dictate` of this user.

import { rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import type { Environment } from '../../config.ts'
import { makeFolder } from '../../lib/durable.ts'
import { systemReason } from '../../lib/os-errors.ts'
import { fail, type Result, succeed } from '../../lib/result.ts'

const CONTROL_REQUESTS = ['toggle', 'command', 'cancel', 'status'] as const
export type ControlRequest = (typeof CONTROL_REQUESTS)[number]

/** What `dictate` does after the request. */
export type ControlState = 'listening' | 'idle'

/** In the runtime folder, which belongs to this user alone; else in the data folder. */
export function controlPathOf(env: Environment, dataFolder: string): string {
  if (process.platform === 'win32') return `\\\\.\\pipe\\local-dictation-${userInfo().username}`
  return join(env.XDG_RUNTIME_DIR || dataFolder, 'local-dictation.sock')
}

const RESPONSE_WITHIN_MS = 3000

/** Null if no `dictate` runs. */
export function requestControl(path: string, request: ControlRequest): Promise<ControlState | null> {
  return new Promise((resolve) => {
    let received = ''
    const socket = connect(path, () => socket.end(`${request}\n`))
    const timer = setTimeout(() => socket.destroy(), RESPONSE_WITHIN_MS)
    socket.on('data', (data) => {
      received += data
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(timer)
      const state = received.trim()
      resolve(state === 'listening' || state === 'idle' ? state : null)
    })
  })
}

/** Fails if another `dictate` runs, or the socket cannot be created. */
export async function serveControl(
  path: string,
  { folder, take }: { folder: string; take: (request: ControlRequest) => ControlState },
): Promise<Result<{ close(): void }, string>> {
  if ((await requestControl(path, 'status')) !== null)
    return fail(
      '"dictation dictate" is already running. Stop it there with Ctrl+C, or use "dictation toggle".',
    )
  if (process.platform !== 'win32') {
    await makeFolder(folder)
    await rm(path, { force: true })
  }
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let received = ''
    socket.on('error', () => socket.destroy())
    socket.on('data', (data) => {
      received += data
      if (received.length > 100) socket.destroy()
      const request = CONTROL_REQUESTS.find((one) => received === `${one}\n`)
      if (request !== undefined) socket.end(take(request))
    })
  })
  return new Promise((resolve) => {
    server.once('error', (error) =>
      resolve(fail(`The socket ${path} could not be created: ${systemReason(error)}.`)),
    )
    server.listen({ path, readableAll: false, writableAll: false }, () =>
      resolve(succeed({ close: () => server.close() })),
    )
  })
}
