// Sends requests byte by byte as they are given, each over a connection of its own, and tells what came back.
// Runs in the harness, or as a program of another user that is given the requests on its standard input.

import { connect } from 'node:net'

/** `status` 0: the connection ended without an answer. */
export type Answer = { status: number; body: string }
export type Asked = { port: number; requests: string[] }

const AT_ONCE = 8
/** Streams have no end; what is said to a stranger is said by then. */
const PATIENCE_MS = 5000

function askOne(port: number, request: string): Promise<Answer> {
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

/** The answers in the order of the requests. */
export async function askAll({ port, requests }: Asked): Promise<Answer[]> {
  const answers: Answer[] = []
  let next = 0
  const worker = async () => {
    for (let at = next++; at < requests.length; at = next++) answers[at] = await askOne(port, requests[at]!)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return answers
}

if (import.meta.main) {
  const asked: Asked = JSON.parse(await Bun.stdin.text())
  process.stdout.write(JSON.stringify(await askAll(asked)))
}
