// Sends a request byte for byte: fetch would change the order and case of headers, the chunks and the boundary.

import { connect } from 'node:net'

export type RawAnswer = { status: number; headers: Headers; body: string }

/** @param head its lines without the blank one @param body as on the wire */
export function sendRaw(url: string, head: readonly string[], body: Uint8Array): Promise<RawAnswer> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) })
    let received = Buffer.alloc(0)
    socket.on('connect', () => {
      socket.write(`${head.join('\r\n')}\r\n\r\n`)
      socket.write(body)
    })
    socket.on('data', (data: Buffer) => {
      received = Buffer.concat([received, data])
      const answer = answerIn(received)
      if (answer === null) return
      socket.destroy()
      resolve(answer)
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error(`the connection was closed after "${received}"`)))
  })
}

/** Chunks of `size` bytes (RFC 9112, section 7.1). */
export function chunked(body: Uint8Array, size: number): Uint8Array {
  const chunks: Uint8Array[] = []
  for (let at = 0; at < body.length; at += size) {
    const piece = body.subarray(at, at + size)
    chunks.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'))
  }
  return Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')])
}

/** @returns null while the response is incomplete */
function answerIn(received: Buffer): RawAnswer | null {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return null
  const [line = '', ...fields] = received.subarray(0, end).toString('latin1').split('\r\n')
  const headers = new Headers(fields.map((field) => field.split(/:\s*(.*)/s, 2) as [string, string]))
  const status = Number(line.split(' ')[1])
  const rest = received.subarray(end + 4)
  const body = bodyIn(rest, status, headers)
  return body === null ? null : { status, headers, body: body.toString() }
}

function bodyIn(rest: Buffer, status: number, headers: Headers): Buffer | null {
  if (status === 204) return Buffer.alloc(0)
  if (headers.get('transfer-encoding') === 'chunked') return unchunked(rest)
  const length = Number(headers.get('content-length'))
  return rest.length < length ? null : rest.subarray(0, length)
}

function unchunked(rest: Buffer): Buffer | null {
  const pieces: Buffer[] = []
  for (let at = 0; ; ) {
    const end = rest.indexOf('\r\n', at)
    if (end < 0) return null
    const size = Number.parseInt(rest.subarray(at, end).toString(), 16)
    at = end + 2 + size + 2
    if (rest.length < at) return null
    if (size === 0) return Buffer.concat(pieces)
    pieces.push(rest.subarray(end + 2, end + 2 + size))
  }
}
