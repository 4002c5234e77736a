// `dictation mcp` outlives the server that its tools use, and starts the next one.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { resolve } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { testAtLength } from '../../support/at-length.ts'
import { createTestFolder, type TestFolder } from '../../support/database.ts'

const main = resolve(import.meta.dir, '../../../src/cli/main.ts')

let data: TestFolder
beforeAll(async () => {
  data = await createTestFolder()
})
afterAll(() => data[Symbol.asyncDispose]())

const environment = (more: Record<string, string>) => ({
  ...(process.env as Record<string, string>),
  DICTATION_DATA_DIR: data.dataFolder,
  DICTATION_MODEL: 'tiny.en',
  ...(data.databaseUrl !== null && { DATABASE_URL: data.databaseUrl }),
  ...more,
})

async function connected(env: Record<string, string>): Promise<Client & AsyncDisposable> {
  const client = new Client({ name: 'test', version: '1' })
  const transport: unknown = new StdioClientTransport({
    command: process.execPath,
    args: [main, 'mcp'],
    env: environment(env),
    stderr: 'ignore',
  })
  await client.connect(transport as Transport)
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() })
}

async function call(client: Client, name: string, args: Record<string, unknown> = {}) {
  const params = { name, arguments: args }
  const result = (await client.callTool(params, undefined, { timeout: 200_000 })) as CallToolResult
  const [content] = result.content
  return { isError: result.isError === true, text: content?.type === 'text' ? content.text : '' }
}

test('listen reports a server that does not respond, instead of a timeout of the dictation', async () => {
  const { promise: never, resolve: end } = Promise.withResolvers<Response>()
  using server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => never })
  await using client = await connected({ DICTATION_URL: server.url.href })
  expect(await call(client, 'listen', { timeout_seconds: 1 })).toEqual({
    isError: true,
    text: expect.stringMatching(/^unreachable: The server did not respond within 1 s\./),
  })
  end(new Response())
}, 60_000)

testAtLength(
  'a call after a failed start or a stop of the server starts it again',
  async () => {
    const taken = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('another program') })
    const env = { PORT: String(taken.port) }
    await using client = await connected(env)
    expect(await call(client, 'list_captures')).toMatchObject({
      isError: true,
      text: expect.stringContaining('is already in use'),
    })
    await taken.stop(true)
    const stop = async () => {
      const stopping = Bun.spawn([process.execPath, main, 'server', 'stop'], { env: environment(env) })
      return stopping.exited
    }
    try {
      expect(await call(client, 'list_captures')).toMatchObject({ isError: false })
      expect(await stop()).toBe(0)
      expect(await call(client, 'list_captures')).toMatchObject({ isError: false })
      expect(await call(client, 'listen', { timeout_seconds: 1 })).toMatchObject({
        isError: false,
        text: expect.stringContaining('"timeout"'),
      })
    } finally {
      await stop()
    }
  },
  240_000,
)
