// A client of the Wyoming protocol that sends raw bytes, for what the package wyoming does not send.

import { connect, type Socket } from 'node:net'
import { createFrameReader, encodeEvent, type WyomingEvent } from '../../src/wyoming/wyoming-frames.ts'
import type { RunningServer } from './server.ts'
import { until } from './until.ts'

/** Of a server that was started with DICTATION_WYOMING=0. */
export function wyomingPortOf(server: RunningServer): number {
  const [listening] = server.log().filter(({ msg }) => msg === 'listening for the Wyoming protocol')
  return Number(/:(\d+)$/.exec((listening!.urls as string[])[0]!)?.[1])
}

export type WyomingClient = {
  socket: Socket
  received: WyomingEvent[]
  isClosed(): boolean
  send(type: string, data?: object, payload?: Uint8Array): void
  /** the first event of a type */
  first(type: string): Promise<WyomingEvent>
  closed(): Promise<unknown>
}

export function openWyoming(port: number, host = '127.0.0.1'): WyomingClient {
  const socket = connect(port, host)
  const reader = createFrameReader()
  const received: WyomingEvent[] = []
  let isClosed = false
  socket.on('error', () => {})
  socket.on('close', () => {
    isClosed = true
  })
  socket.on('data', (bytes: Buffer) => {
    reader.push(bytes)
    for (let read = reader.next(); read.ok && read.value !== null; read = reader.next())
      received.push(read.value)
  })
  return {
    socket,
    received,
    isClosed: () => isClosed,
    send(type, data, payload = new Uint8Array()) {
      const [line = '', rest = ''] = encodeEvent({ type, ...(data && { data }) }).split('\n')
      socket.write(`${line.replace(/}$/, `,"payload_length":${payload.length}}`)}\n${rest}`)
      socket.write(payload)
    },
    first: (type) =>
      until(() => received.find((event) => event.type === type), {
        what: () => `${type} among ${received.map((event) => event.type)}`,
      }),
    closed: () => until(() => isClosed, { what: 'the end of the connection' }),
  }
}
