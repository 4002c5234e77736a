// A TCP proxy that can make a server unreachable and reachable again. Passes bytes on unchanged.

import { connect, createServer, type Socket } from 'node:net'

export type Proxy = {
  /** the server's address through the proxy */
  url: string
  /** closes every connection, and every new one at once */
  cut(): void
  /**
   * Requests still arrive, but no response returns; a new connection receives the server's bytes up to this greeting.
   * Call `cut` before `restore`.
   */
  mute(greeting?: Buffer): void
  restore(): void
  [Symbol.dispose](): void
}

/** `url` is the server's. */
export async function createProxy(url: string): Promise<Proxy> {
  const { hostname, port } = new URL(url)
  const open = new Set<Socket>()
  let away = false
  let muted = false
  let greeting: Buffer | null = null
  const remember = (socket: Socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    // Only the end of a broken connection matters.
    socket.on('error', () => socket.destroy())
  }
  const server = createServer((client) => {
    remember(client)
    if (away) return client.destroy()
    const upstream = connect({ host: hostname, port: Number(port) })
    remember(upstream)
    client.pipe(upstream)
    let isGreeted = greeting === null
    upstream.on('data', (bytes: Buffer) => {
      if (!muted || !isGreeted) client.write(bytes)
      if (greeting !== null && bytes.includes(greeting)) isGreeted = true
    })
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  const cut = () => {
    away = true
    for (const socket of open) socket.destroy()
  }
  return {
    url: Object.assign(new URL(url), { host: `127.0.0.1:${address.port}` }).href,
    cut,
    mute: (withGreeting) => {
      muted = true
      greeting = withGreeting ?? null
    },
    restore: () => {
      away = false
      muted = false
      greeting = null
    },
    [Symbol.dispose]() {
      cut()
      server.close()
    },
  }
}
