// An HTTP proxy in front of an S3 server that refuses, delays, cuts and falsifies what passes through it.

import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'

export type Trouble =
  /** every third request is refused as by a busy server */
  | 'busy'
  | 'away'
  /** bodies arrive a piece at a time */
  | 'slow'
  /** answers end after half of their body */
  | 'truncated'
  /** one bit of every body of an answer is another */
  | 'flipped'
  /** the same on the way to the server */
  | 'flipped upload'

export type S3Front = {
  url: string
  trouble: Trouble | null
  /** answers nothing until it is set to false */
  holds: boolean
  /** requests so far, as "PUT /bucket/key" */
  seen: string[]
  [Symbol.asyncDispose](): Promise<void>
}

const SLOW_PIECE = 1000

export async function startS3Front(endpoint: string): Promise<S3Front> {
  const { hostname, port } = new URL(endpoint)
  let count = 0
  const server = createServer(async (incoming, outgoing) => {
    front.seen.push(`${incoming.method} ${incoming.url?.split('?')[0]}`)
    const { trouble } = front
    const body = await bytesOf(incoming)
    while (front.holds) await Bun.sleep(10)
    if (trouble === 'away') return incoming.socket.destroy()
    if (trouble === 'busy' && count++ % 3 === 0)
      return outgoing.writeHead(503).end('<Error><Code>SlowDown</Code></Error>')
    if (trouble === 'flipped upload') flip(body)
    const { method, url, headers } = incoming
    // The signature covers the name of the host.
    const onward = request({ hostname, port, method, path: url, headers }, (answer) =>
      pass(answer, outgoing, trouble),
    )
    onward.on('error', () => incoming.socket.destroy())
    onward.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const front: S3Front = {
    url: `http://127.0.0.1:${address.port}`,
    trouble: null,
    holds: false,
    seen: [],
    async [Symbol.asyncDispose]() {
      front.holds = false
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return front
}

async function pass(
  answer: IncomingMessage,
  outgoing: ServerResponse,
  trouble: Trouble | null,
): Promise<void> {
  const body = await bytesOf(answer)
  const isFile = answer.statusCode === 200 && body.length > 0
  outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
  if (isFile && trouble === 'truncated') {
    outgoing.write(body.subarray(0, body.length / 2))
    return void outgoing.socket?.end()
  }
  if (isFile && trouble === 'flipped') flip(body)
  if (trouble === 'slow')
    for (let from = 0; from < body.length; from += SLOW_PIECE) {
      outgoing.write(body.subarray(from, from + SLOW_PIECE))
      await Bun.sleep(1)
    }
  else outgoing.write(body)
  outgoing.end()
}

function flip(body: Buffer): void {
  if (body.length > 0) body[body.length >> 1]! ^= 1
}

const bytesOf = async (stream: AsyncIterable<Buffer>): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync(stream))
