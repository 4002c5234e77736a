// Replays requests of clients that cannot run in a test, and checks the response fields that they read.

import { afterAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Ajv2020 from 'ajv/dist/2020.js'
import { type RunningServer, startServer } from '../support/server.ts'
import { type RecordedClient, replay } from './recorded-request.ts'

const folder = join(import.meta.dir, 'recorded')
const clients = readdirSync(folder)
  .sort()
  .map((name): RecordedClient => JSON.parse(readFileSync(join(folder, name), 'utf8')))

const servers = new Map<string, Promise<RunningServer>>()
afterAll(async () => {
  for (const server of servers.values()) await (await server).stop()
})

/** One server for each set of settings. */
function serverWith(env: Record<string, string> = {}): Promise<RunningServer> {
  const key = JSON.stringify(env)
  const server = servers.get(key) ?? startServer({ env })
  servers.set(key, server)
  return server
}

/** What the client cannot read; it ignores fields that its structs do not name. */
function faultsOf(value: unknown, schema: string | object, reads: RecordedClient['reads'] = {}) {
  const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false, strictRequired: false })
  const validate = ajv.compile(typeof schema === 'string' ? reads[schema]! : schema)
  validate(value)
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

/** The data of each event. All events are unnamed, as OpenAI's are, because some clients reject others. */
function eventsOf(body: string): unknown[] {
  const lines = body.split('\n').filter((line) => line !== '' && !line.startsWith(':'))
  expect(lines.filter((line) => !line.startsWith('data: '))).toEqual([])
  expect(lines.at(-1)).toBe('data: [DONE]')
  return lines.slice(0, -1).map((line) => JSON.parse(line.slice('data: '.length)))
}

test('each client names the origin of its requests', () => {
  expect(clients.length).toBeGreaterThan(5)
  for (const { client, origin } of clients) {
    expect(origin.repository, client).toMatch(/^[\w.-]+\/[\w.-]+$/)
    expect(origin.commit ?? 'a package', client).toMatch(/^([0-9a-f]{40}|a package)$/)
    expect(origin.made, client).toMatch(/^\S/)
  }
})

for (const { client, reads, requests } of clients)
  describe(client, () => {
    test.each(requests.map((request) => [request.what, request] as const))('%s', async (_, request) => {
      const server = await serverWith(request.env)
      const answer = await replay(server.url, request)
      const { status, headers = {}, json, events } = request.answer
      expect(answer.status, answer.body).toBe(status)
      for (const [name, pattern] of Object.entries(headers))
        expect(answer.headers.get(name), name).toContain(pattern)
      if (json !== undefined) expect(faultsOf(JSON.parse(answer.body), json, reads), answer.body).toEqual([])
      if (events === undefined) return
      const sent = eventsOf(answer.body)
      for (const event of sent) expect(faultsOf(event, events.each, reads), answer.body).toEqual([])
      const deltas = sent.map((event) => (event as { delta?: string }).delta ?? '').join('')
      expect(deltas).toMatch(new RegExp(events.deltas))
    })
  })
