// Sends requests byte for byte, each over its own connection, and returns the responses. Runs in the harness, or as a
// program of another user that reads the requests from standard input.

import { connect } from 'node:net'

/** `status` 0: the connection ended without a response. */
export type Answer = { status: number; body: string }
export type Requests = { port: number; requests: string[] }

const AT_ONCE = 8
/** Streams have no end; everything that a rejected client could read has arrived by then. */
const PATIENCE_MS = 5000

function sendOne(port: number, request: string): Promise<Answer> {
  return new Promise((resolve) => {
    let received = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.from(request, 'latin1')))
    socket.setTimeout(PATIENCE_MS, () => socket.destroy())
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      if (isWhole(received)) socket.destroy()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1] ?? 0)
      resolve({ status, body: received.slice(received.indexOf('\r\n\r\n') + 4) })
    })
  })
}

function isWhole(received: string): boolean {
  const end = received.indexOf('\r\n\r\n')
  const length = /^content-length: (\d+)\r$/im.exec(received.slice(0, end + 2))?.[1]
  return end >= 0 && length !== undefined && received.length >= end + 4 + Number(length)
}

/** @returns the responses in the order of the requests */
export async function sendAll({ port, requests }: Requests): Promise<Answer[]> {
  const answers: Answer[] = []
  let next = 0
  const worker = async () => {
    for (let at = next++; at < requests.length; at = next++) answers[at] = await sendOne(port, requests[at]!)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return answers
}

if (import.meta.main) {
  const input: Requests = JSON.parse(await Bun.stdin.text())
  process.stdout.write(JSON.stringify(await sendAll(input)))
}
