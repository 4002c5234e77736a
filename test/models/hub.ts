// A local model hub with a second host for the bytes, which misbehaves on request.
// Uses raw sockets, because server libraries do not send wrong lengths or break off at a given byte.

import { createHash } from 'node:crypto'
import { createServer, type Server, type Socket } from 'node:net'

export type HubRequest = { host: 'hub' | 'bytes'; path: string; headers: Map<string, string>; number: number }

/** Misbehaviour of the second host; each entry is used for one request. */
export type Mischief =
  /** a client may lose buffered data when the connection breaks, so some tests leave it time to read */
  | { kind: 'cut'; afterBytes: number; graceMs?: number }
  | { kind: 'stall'; afterBytes: number }
  | { kind: 'status'; status: number; headers?: Record<string, string> }
  | { kind: 'ignore range' }
  | { kind: 'lying range'; contentRange: string }
  | { kind: 'wrong length'; bytes: number }
  | { kind: 'wrong bytes' }
  | { kind: 'endless' }
  | { kind: 'chunked' }

export type Hub = {
  url: string
  /** all requests, in order */
  requests: HubRequest[]
  /** `owner/repository/path` to content */
  files: Map<string, Uint8Array>
  mischief: Mischief[]
  /** body bytes written to sockets */
  sentBytes(): number
  /** error responses of the hub itself; each is used once */
  hubMischief: { status: number; headers?: Record<string, string> }[]
  /** metadata that the hub reports */
  tells: { etag: boolean; size: boolean; listing: boolean }
  /** bytes per second of each response; null: unlimited */
  pace: { bytesPerSecond: number | null }
  /** number of responses with bytes in progress */
  pouring(): number
  [Symbol.asyncDispose](): Promise<void>
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

export async function startHub(files: Record<string, Uint8Array> = {}): Promise<Hub> {
  const sockets = new Set<Socket>()
  let sent = 0
  let served = 0
  let pouring = 0
  const hub: Omit<Hub, 'url'> = {
    requests: [],
    files: new Map(Object.entries(files)),
    mischief: [],
    hubMischief: [],
    tells: { etag: true, size: true, listing: true },
    pace: { bytesPerSecond: null },
    sentBytes: () => sent,
    pouring: () => pouring,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await Promise.all(
        [hubServer, byteServer].map(({ server }) => new Promise((done) => server.close(done))),
      )
    },
  }

  const listen = async (host: HubRequest['host'], answer: (socket: Socket, request: HubRequest) => void) => {
    const server = createServer((socket) => {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
      socket.on('error', () => socket.destroy())
      let head = ''
      socket.on('data', (chunk) => {
        head += chunk.toString('latin1')
        if (!head.includes('\r\n\r\n')) return
        const [first = '', ...lines] = head.split('\r\n\r\n')[0]!.split('\r\n')
        head = ''
        const headers = new Map(
          lines.map((line): [string, string] => [
            line.slice(0, line.indexOf(':')).toLowerCase(),
            line.slice(line.indexOf(':') + 1).trim(),
          ]),
        )
        const request = {
          host,
          path: decodeURIComponent(first.split(' ')[1] ?? ''),
          headers,
          number: served++,
        }
        hub.requests.push(request)
        answer(socket, request)
      })
    })
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('the hub has no port')
    return { server: server as Server, url: `http://127.0.0.1:${address.port}` }
  }

  const write = (socket: Socket, bytes: Uint8Array | string) =>
    new Promise<void>((done) => {
      if (socket.destroyed) return done()
      if (typeof bytes !== 'string') sent += bytes.length
      socket.once('close', done)
      socket.write(bytes, () => {
        socket.off('close', done)
        done()
      })
    })

  const head = (status: number, headers: Record<string, string | number>) =>
    `HTTP/1.1 ${status} -\r\n${Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n`

  const refuse = async (socket: Socket, status: number, headers: Record<string, string> = {}) => {
    await write(socket, head(status, { 'content-length': 0, ...headers }))
  }

  const pour = async (socket: Socket, bytes: Uint8Array) => {
    const { bytesPerSecond } = hub.pace
    const step = bytesPerSecond === null ? 65_536 : Math.max(1, Math.floor(bytesPerSecond / 50))
    for (let at = 0; at < bytes.length && !socket.destroyed; at += step) {
      await write(socket, bytes.subarray(at, at + step))
      if (bytesPerSecond !== null) await Bun.sleep(20)
    }
  }

  const byteServer = await listen('bytes', async (socket, request) => {
    pouring += 1
    await sendBytes(socket, request)
    pouring -= 1
  })

  async function sendBytes(socket: Socket, { path, headers }: HubRequest): Promise<void> {
    const content = hub.files.get(path.slice(1))
    if (!content) return refuse(socket, 404)
    const mischief = hub.mischief.shift()
    if (mischief?.kind === 'status') return refuse(socket, mischief.status, mischief.headers)
    const etag = `"${sha256(content).slice(0, 32)}"`
    const firstByte = Number(/^bytes=(\d+)-$/.exec(headers.get('range') ?? '')?.[1] ?? Number.NaN)
    const unchanged = !headers.has('if-range') || headers.get('if-range') === etag
    const ranged = Number.isInteger(firstByte) && unchanged && mischief?.kind !== 'ignore range'
    if (ranged && firstByte >= content.length)
      return refuse(socket, 416, { 'content-range': `bytes */${content.length}` })
    let body = ranged ? content.subarray(firstByte) : content
    const range = `bytes ${firstByte}-${content.length - 1}/${content.length}`
    if (mischief?.kind === 'wrong length') body = new Uint8Array(mischief.bytes)
    if (mischief?.kind === 'wrong bytes') {
      body = body.slice()
      body[Math.floor(body.length / 2)]! ^= 1
    }
    const chunked = mischief?.kind === 'endless' || mischief?.kind === 'chunked'
    await write(
      socket,
      head(ranged ? 206 : 200, {
        etag,
        ...(chunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': body.length }),
        ...(ranged && { 'content-range': mischief?.kind === 'lying range' ? mischief.contentRange : range }),
      }),
    )
    const inChunk = async (bytes: Uint8Array) => {
      await write(socket, `${bytes.length.toString(16)}\r\n`)
      await write(socket, bytes)
      await write(socket, '\r\n')
    }
    if (mischief?.kind === 'endless') {
      while (!socket.destroyed) await inChunk(new Uint8Array(65_536))
    } else if (mischief?.kind === 'chunked') {
      await inChunk(body)
      await write(socket, '0\r\n\r\n')
    } else if (mischief?.kind === 'cut' || mischief?.kind === 'stall') {
      await pour(socket, body.subarray(0, mischief.afterBytes))
      if (mischief.kind === 'cut') await Bun.sleep(mischief.graceMs ?? 0)
      if (mischief.kind === 'cut') socket.destroy()
    } else {
      await pour(socket, body)
    }
    if (mischief?.kind === 'stall' && !socket.destroyed)
      await new Promise<void>((gone) => socket.once('close', gone))
  }

  const hubServer = await listen('hub', async (socket, { path }) => {
    const mischief = hub.hubMischief.shift()
    if (mischief) return refuse(socket, mischief.status, mischief.headers)
    const [, listed] = /^\/api\/models\/([^/]+\/[^/]+)\/tree\//.exec(path) ?? []
    if (listed) {
      if (!hub.tells.listing) return refuse(socket, 404)
      const listing = [...hub.files]
        .filter(([name]) => name.startsWith(`${listed}/`))
        .map(([name, bytes]) => ({
          ...{ type: 'file', path: name.slice(listed.length + 1), size: bytes.length },
          lfs: { oid: sha256(bytes), size: bytes.length, pointerSize: 133 },
        }))
      const body = JSON.stringify([{ type: 'file', path: 'README.md', size: 3 }, ...listing])
      return write(
        socket,
        `${head(200, { 'content-type': 'application/json', 'content-length': body.length })}${body}`,
      )
    }
    const [, repository, , file] = /^\/([^/]+\/[^/]+)\/resolve\/([^/]+)\/(.+)$/.exec(path) ?? []
    const content = hub.files.get(`${repository}/${file}`)
    if (!content) return refuse(socket, 404)
    return refuse(socket, 302, {
      location: `${byteServer.url}/${repository}/${file}`,
      ...(hub.tells.etag && { 'x-linked-etag': `"${sha256(content)}"` }),
      ...(hub.tells.size && { 'x-linked-size': String(content.length) }),
    })
  })

  return Object.assign(hub, { url: hubServer.url })
}
