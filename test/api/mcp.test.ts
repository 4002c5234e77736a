// The Model Context Protocol over both transports, with the SDK's own client: POST /mcp and `dictation mcp`, on one server.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { openLive, spokenIn } from '../support/live.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { formOf, recording, recordingFile, wordsApart } from '../support/speech.ts'

const TOKEN = 'a-token-for-the-mcp-test'
const AUTHORIZED = { authorization: `Bearer ${TOKEN}` }
const COMMAND = resolve(import.meta.dir, '../../src/cli/main.ts')
const { text: SAID } = recording('short-01.flac')

let server: RunningServer
let folder: string
let allowed: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dictation-mcp-'))
  allowed = join(folder, 'allowed')
  await mkdir(join(allowed, 'sub'), { recursive: true })
  const speech = recordingFile('short-01.flac').name!
  await copyFile(speech, join(allowed, 'sub', 'memo.flac'))
  await copyFile(speech, join(folder, 'secret.flac'))
  await mkdir(join(folder, 'allowed-too'))
  await copyFile(speech, join(folder, 'allowed-too', 'secret.flac'))
  await symlink(join(folder, 'secret.flac'), join(allowed, 'link.flac'))
  await symlink(folder, join(allowed, 'up'))
  await writeFile(join(allowed, 'notes.txt'), 'words, not sound')
  server = await startServer({ env: { DICTATION_TOKEN: TOKEN, DICTATION_MCP_FOLDERS: allowed } })
}, 120_000)

afterAll(async () => {
  expect(await server.stop()).toBe(0)
  await rm(folder, { recursive: true, force: true })
})

async function connected(transport: unknown): Promise<Client & AsyncDisposable> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport as Transport)
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() })
}

const overHttp = () =>
  connected(
    new StreamableHTTPClientTransport(new URL('/mcp', server.url), { requestInit: { headers: AUTHORIZED } }),
  )

const overStdio = (...args: string[]) =>
  connected(
    new StdioClientTransport({
      command: process.execPath,
      args: [COMMAND, 'mcp', '--allow', allowed, ...args],
      env: { ...(process.env as Record<string, string>), DICTATION_URL: server.url, DICTATION_TOKEN: TOKEN },
    }),
  )

async function call(client: Client, name: string, args: object = {}) {
  const result = (await client.callTool({ name, arguments: { ...args } })) as CallToolResult
  const [content] = result.content
  const text = content?.type === 'text' ? content.text : ''
  // biome-ignore lint/suspicious/noExplicitAny: the client has checked it against the tool's output schema
  return { isError: result.isError === true, text, found: result.structuredContent as any }
}

/** Calls `listen`, and returns once the server waits for a dictation. */
async function listening(client: Client) {
  const waits = Promise.withResolvers<void>()
  const result = client.callTool({ name: 'listen', arguments: { timeout_seconds: 120 } }, undefined, {
    onprogress: () => waits.resolve(),
    resetTimeoutOnProgress: true,
  })
  await waits.promise
  // biome-ignore lint/suspicious/noExplicitAny: as above
  return { result: result as Promise<any> }
}

const upload = async (fields: Record<string, string>) =>
  fetch(`${server.url}/captures?wait=false`, {
    method: 'POST',
    headers: AUTHORIZED,
    body: await formOf('short-01.flac', fields),
  })

const READING = [
  'get_capture',
  'list_captures',
  'listen',
  'models',
  'refine_text',
  'run_command',
  'search_captures',
  'statistics',
  'transcribe_file',
]

describe.each([
  ['over HTTP', overHttp],
  ['over stdio', () => overStdio()],
] as const)('%s', (name, connect) => {
  test('listen returns the next dictation of any client, and the other tools read it', async () => {
    await using client = await connect()
    const { tools } = await client.listTools()
    expect(tools.map((tool) => tool.name).sort()).toEqual(READING)
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true)

    const { result } = await listening(client)
    // An imported file is no dictation.
    expect((await upload({ source: 'file' })).status).toBe(202)
    if (name === 'over HTTP')
      expect((await upload({ source: 'dictation', app_name: 'Mail' })).status).toBe(202)
    else {
      const live = await openLive(server.url, {
        headers: AUTHORIZED,
        query: { keep: 'true', app_name: 'Mail' },
      })
      live.send(await spokenIn('short-01.flac'))
      live.stop()
      await live.first('kept')
    }
    const { status, text, capture_id, app_name } = (await result).structuredContent
    expect([status, app_name]).toEqual(['received', 'Mail'])
    expect(wordsApart(text, SAID)).toBeLessThanOrEqual(1)

    const { found: listed } = await call(client, 'list_captures', { source: 'dictation', limit: 1 })
    expect(listed.items[0]).toMatchObject({ id: capture_id, text, app_name: 'Mail' })
    const { found: matching } = await call(client, 'search_captures', { query: 'local dict', app: 'Mail' })
    expect(matching.items.map(({ id }: { id: string }) => id)).toContain(capture_id)
    const { found: capture } = await call(client, 'get_capture', { id: capture_id, segments: true })
    expect(capture).toMatchObject({ text, status: 'completed', error: null })
    expect(capture.segments.length).toBeGreaterThan(0)
    const { found: part } = await call(client, 'get_capture', { id: capture_id, max_characters: 5 })
    expect([part.text, part.text_characters]).toEqual([text.slice(0, 5), text.length])
    const { found: statistics } = await call(client, 'statistics', { period: 'today', app: 'Mail' })
    expect(statistics.total_captures).toBeGreaterThan(0)
  }, 240_000)

  test('transcribes a file, refines a text, runs a command and lists models', async () => {
    await using client = await connect()
    const { found } = await call(client, 'transcribe_file', { path: 'sub/memo.flac' })
    expect(wordsApart(found.text, SAID)).toBeLessThanOrEqual(1)
    const refined = await call(client, 'refine_text', {
      text: 'um we meet comma ok',
      language: 'en',
      style: 'default',
    })
    expect(refined.found).toMatchObject({ text: 'We meet, ok', changed: true, style: 'Default' })
    const changed = await call(client, 'run_command', { command: 'upper case', text: 'abc' })
    expect(changed.found).toMatchObject({ status: 'succeeded', output: 'ABC' })
    const { found: installed } = await call(client, 'models')
    expect(installed.models.map(({ model_name }: { model_name: string }) => model_name)).toContain(
      'tiny.en-q5_1',
    )
  }, 240_000)

  test('reads no file outside the allowed folders, and reports errors with their codes', async () => {
    await using client = await connect()
    const refusals: Record<string, string> = {}
    for (const path of [
      join(folder, 'secret.flac'),
      join(folder, 'allowed-too', 'secret.flac'),
      '../secret.flac',
      'sub/../../secret.flac',
      'link.flac',
      'up/secret.flac',
      '/etc/passwd',
      '/nowhere.flac',
      'sub',
      'notes.txt',
    ]) {
      const { isError, text } = await call(client, 'transcribe_file', { path })
      expect(isError, text).toBe(true)
      refusals[path.replace(folder, '')] = text.split(':')[0]!
    }
    expect(refusals).toEqual({
      '/secret.flac': 'path_not_allowed',
      '/allowed-too/secret.flac': 'path_not_allowed',
      '../secret.flac': 'path_not_allowed',
      'sub/../../secret.flac': 'path_not_allowed',
      'link.flac': 'path_not_allowed',
      'up/secret.flac': 'path_not_allowed',
      '/etc/passwd': 'path_not_allowed',
      '/nowhere.flac': 'path_not_allowed',
      sub: 'not_a_file',
      'notes.txt': 'unsupported_audio',
    })
    const unknown = await call(client, 'get_capture', { id: crypto.randomUUID() })
    expect(unknown).toMatchObject({ isError: true, text: expect.stringMatching(/^capture_not_found: .*\.$/) })
    expect(await call(client, 'add_to_dictionary', { word: 'Ada' })).toMatchObject({ isError: true })
    expect(await call(client, 'list_captures', { limt: 1 })).toMatchObject({ isError: true })
  }, 120_000)
})

test('with --allow-changes, dictation mcp adds to the dictionary, and ends with its input', async () => {
  await using client = await overStdio('--allow-changes')
  const { tools } = await client.listTools()
  expect(tools.find(({ name }) => name === 'add_to_dictionary')?.annotations?.readOnlyHint).toBe(false)
  const added = await call(client, 'add_to_dictionary', { word: 'git hub', replacement: 'GitHub' })
  expect(added.found).toMatchObject({ type: 'replacement', word: 'git hub', replacement: 'GitHub' })
  const again = await call(client, 'add_to_dictionary', { word: 'git hub', replacement: 'GitHub' })
  expect(again).toMatchObject({ isError: true, text: expect.stringMatching(/^dictionary_entry_exists: /) })
  const child = Bun.spawn([process.execPath, COMMAND, 'mcp'], { stdin: 'pipe', stdout: 'pipe' })
  child.stdin.end()
  expect([await child.exited, await new Response(child.stdout).text()]).toEqual([0, ''])
}, 120_000)

test('a client can cancel listen and continue', async () => {
  await using client = await overHttp()
  const cancelling = new AbortController()
  const waits = Promise.withResolvers<void>()
  const result = client.callTool({ name: 'listen' }, undefined, {
    signal: cancelling.signal,
    onprogress: () => waits.resolve(),
  })
  await waits.promise
  cancelling.abort('enough')
  await expect(result).rejects.toThrow('enough')
  expect((await call(client, 'models')).isError).toBe(false)
})

describe('POST /mcp', () => {
  const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const send = (headers: Record<string, string>, body: unknown = LIST) =>
    fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...AUTHORIZED, ...headers },
      body: JSON.stringify(body),
    })

  test('refuses pages of other origins, other hosts, and a wrong or missing token', async () => {
    const refused: [headers: Record<string, string>, status: number, code: string][] = [
      [{ origin: 'http://evil.test' }, 403, 'origin_not_allowed'],
      [{ origin: 'tauri://localhost' }, 403, 'origin_not_allowed'],
      [{ host: 'evil.test' }, 403, 'host_not_allowed'],
      [{ 'sec-fetch-site': 'cross-site' }, 403, 'cross_site'],
      [{ authorization: 'Bearer wrong' }, 401, 'unauthorized'],
      [{ authorization: '' }, 401, 'unauthorized'],
      [{ 'mcp-session-id': crypto.randomUUID() }, 404, 'mcp_session_not_found'],
      [{}, 400, 'mcp_message_refused'],
    ]
    for (const [headers, status, code] of refused) {
      const response = await send(headers)
      expect([response.status, await response.json()], JSON.stringify(headers)).toEqual([
        status,
        expect.objectContaining({ code }),
      ])
    }
    expect((await send({}, { ...LIST, params: { x: 'x'.repeat(1024 * 1024) } })).status).toBe(413)
  })

  test('DELETE ends the session', async () => {
    const initialized = await send(
      {},
      {
        ...LIST,
        method: 'initialize',
        params: {
          protocolVersion: '2025-06-18',
          capabilities: {},
          clientInfo: { name: 'raw', version: '1' },
        },
      },
    )
    await initialized.text()
    const session = { 'mcp-session-id': initialized.headers.get('mcp-session-id')! }
    const { status } = await send(session, { jsonrpc: '2.0', method: 'notifications/initialized' })
    expect(status).toBe(202)
    expect((await send(session)).status).toBe(200)
    const ended = await fetch(`${server.url}/mcp`, {
      method: 'DELETE',
      headers: { ...AUTHORIZED, ...session },
    })
    expect(ended.status).toBe(204)
    expect((await send(session)).status).toBe(404)
  })
})
