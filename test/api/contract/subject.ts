// The running server under test, with its document, a client and stored items.

import { startHub } from '../../models/hub.ts'
import { type ServerOptions, startServer } from '../../support/server.ts'
import { createClient } from './client.ts'
import { readDocument } from './document.ts'
import { makeFixtures } from './fixtures.ts'
import { modelFile } from './recordings.ts'
import { DOWNLOADABLE } from './valid-input.ts'

export type Subject = Awaited<ReturnType<typeof startSubject>>

/** Starts a server and a local model hub. */
export async function startSubject(env: Record<string, string>, options: ServerOptions = {}) {
  const hub = await startHub({ [DOWNLOADABLE]: await modelFile().bytes() })
  const server = await startServer({ ...options, env: { HF_ENDPOINT: hub.url, ...env } })
  const stop = async () => {
    const code = await server.stop()
    await hub[Symbol.asyncDispose]()
    return code
  }
  try {
    const document = await readDocument(server.url)
    const client = createClient(server.url, document)
    const fixtures = await makeFixtures(document, client)
    return { server, document, client, ...fixtures, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
