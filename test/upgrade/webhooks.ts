// Receives a server's webhook deliveries and checks their signatures.

import { createHmac } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { until } from '../support/until.ts'
import type { Json } from './client.ts'
import { ofCapture } from './exceptions.ts'
import { type Deliveries, type Known, NO_WEBHOOK } from './folder.ts'

export type Receiver = {
  url: string
  /** received so far */
  deliveries(known: Known): Deliveries
  /** waits until all of these were received; ignores repeated and other deliveries */
  has(known: Known, expected: string[]): Promise<unknown>
  /** bodies without a valid signature */
  unsigned: string[]
  [Symbol.asyncDispose](): Promise<void>
}

/** Writes the receiver's address into the folder's settings; call it before the server starts. */
export async function receiveWebhooks(dataFolder: string): Promise<Receiver> {
  const secret = (await readFile(join(dataFolder, 'webhook-secret'), 'utf8')).trim()
  const received: Json[] = []
  const unsigned: string[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const text = await request.text()
      const signature = request.headers.get('x-dictation-signature') ?? ''
      const [, seconds, code] = /^t=(\d+),v1=([0-9a-f]+)$/.exec(signature) ?? []
      if (code !== createHmac('sha256', secret).update(`${seconds}.${text}`).digest('hex'))
        unsigned.push(text)
      received.push(JSON.parse(text))
      return new Response(null, { status: 204 })
    },
  })
  const url = `http://127.0.0.1:${server.port}/hook`
  const path = join(dataFolder, 'settings.json')
  await writeFile(path, (await readFile(path, 'utf8')).replace(NO_WEBHOOK, url))
  const deliveries = (known: Known) => deliveriesOf(received, known)
  return {
    ...{ url, deliveries, unsigned },
    has: (known, expected) =>
      until(
        () => {
          const { waited, later } = deliveries(known)
          const found = new Set([...waited, ...later])
          return expected.every((one) => found.has(one))
        },
        { what: () => `the deliveries; it received ${JSON.stringify(deliveries(known))}` },
      ),
    [Symbol.asyncDispose]: () => server.stop(true),
  }
}

function deliveriesOf(received: Json[], { scope, packedAt }: Known): Deliveries {
  const waits = ({ created_at: at }: Json) => at <= packedAt
  const line = (one: Json) =>
    JSON.stringify({
      ...(waits(one) && { id: one.id, created_at: one.created_at }),
      event: one.event,
      capture_id: ofCapture({ ...one.capture, id: one.capture_id }, scope.work).id,
    })
  const distinct = (list: Json[]) => [...new Set(list.map(line))].sort()
  return {
    waited: distinct(received.filter(waits)),
    later: distinct(received.filter((one) => !waits(one))),
  }
}
