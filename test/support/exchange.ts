// Raw HTTP over a socket, for clients that do not read while they write.

import { connect } from 'node:net'

/** The response to a client that writes everything before it reads, or the reason why there is none. */
export function exchangeDeaf(port: number, sent: Uint8Array): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1').pause()
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      if (isWhole(received)) socket.destroy()
    })
    socket.on('error', (error) => resolve(String(error)))
    socket.on('close', () => resolve(received))
    socket.write(sent, () => socket.resume())
  })
}

export function isWhole(received: string): boolean {
  const [head = '', body] = received.split('\r\n\r\n')
  const length = /content-length: (\d+)/i.exec(head)?.[1]
  return body !== undefined && length !== undefined && body.length >= Number(length)
}
