// A server on a copy of the packed folder, with a receiver for its webhook.
// What it answers is compared by answers.ts.

import { type RunningServer, type ServerOptions, startServer } from '../support/server.ts'
import { until } from '../support/until.ts'
import type { Answers } from './answers.ts'
import { type Client, clientOf, type Json, workIsOver } from './client.ts'
import { ofCapture } from './exceptions.ts'
import { type Known, receiveWebhooks } from './folder.ts'

export type Started = {
  server: RunningServer
  client: Client
  /** what the webhook received so far, by what is compared of it */
  deliveries(known: Known): Answers
  unsigned: string[]
  webhookUrl: string
  [Symbol.asyncDispose](): Promise<void>
}

/** Starts a server, and the receiver that its settings then name. */
export async function startOn(
  dataFolder: string,
  token: string,
  options: ServerOptions = {},
): Promise<Started> {
  const webhook = await receiveWebhooks(dataFolder)
  const server = await startServer({ ...options, dataFolder, env: { DICTATION_TOKEN: 'auto' } })
  return {
    server,
    client: clientOf(server, token),
    deliveries: (known) => deliveriesOf(webhook.received, known),
    unsigned: webhook.unsigned,
    webhookUrl: webhook.url,
    async [Symbol.asyncDispose]() {
      await server.stop()
      await webhook[Symbol.asyncDispose]()
    },
  }
}

/** Those that waited have their ids; those of work that was done after the start have new ones. */
function deliveriesOf(received: Json[], { scope, packedAt }: Known): Answers {
  const deliveries = received.map((one) => ({
    ...(one.created_at <= packedAt && { id: one.id, created_at: one.created_at }),
    event: one.event,
    capture_id: ofCapture({ ...one.capture, id: one.capture_id }, scope.work).id,
  }))
  const distinct = [...new Set(deliveries.map((one) => JSON.stringify(one)))].sort()
  return {
    'deliveries that waited': distinct.filter((one) => one.includes('created_at')),
    'deliveries of work done after the start': distinct.filter((one) => !one.includes('created_at')),
  }
}

/** Waits until the webhook has received all that is expected of it. */
export const isDelivered = (started: Started, known: Known, expected: Answers): Promise<unknown> =>
  until(
    () => {
      const found = started.deliveries(known)
      return Object.entries(found).every(([name, list]) =>
        (expected[name] ?? []).every((one: string) => list.includes(one)),
      )
    },
    { what: () => `the deliveries ${JSON.stringify(started.deliveries(known))}` },
  )

/** The capture that was discarded before it had a text, taken out of the trash: it is transcribed as it was asked for. */
export async function restoredOf(client: Client, { named, scope }: Known): Promise<Json> {
  await client.post(`/captures/${named.discarded}/restore`)
  await client.post(`/captures/${named.trashedRunning}/restore`)
  await workIsOver(client)
  const work = { ...scope.work, captureIds: [named.discarded!, named.trashedRunning!] }
  const [discarded, trashedRunning] = await Promise.all(
    work.captureIds.map(async (id) => ofCapture(await client.get(`/captures/${id}`), work)),
  )
  return { discarded, trashedRunning }
}
