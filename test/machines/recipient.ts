// A webhook that counts what is announced. A delivery may arrive twice, under the same id.

export type Recipient = {
  url: string
  /** ids of deliveries, by "event captureId" */
  received: Map<string, Set<string>>
  stop(): Promise<void>
}

export function startRecipient(): Recipient {
  const received: Recipient['received'] = new Map()
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { id, event, capture_id: captureId } = (await request.json()) as Record<string, string>
      const key = `${event} ${captureId}`
      received.set(key, (received.get(key) ?? new Set()).add(id!))
      return new Response(null, { status: 204 })
    },
  })
  return { url: `http://127.0.0.1:${server.port}/`, received, stop: () => server.stop(true) }
}
