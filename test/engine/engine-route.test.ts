// Which windows leave this computer, and when it takes over. The local engine is a real process without speech.

import { afterAll, expect, test } from 'bun:test'
import { resolve } from 'node:path'
import { createEngineRoute } from '../../src/engine/engine-route.ts'
import { createProcessEngine } from '../../src/engine/process-engine.ts'
import { silentLog } from '../../src/lib/log.ts'
import type { ServerAddress } from '../../src/lib/openai-server.ts'
import { readLanguage } from '../../src/text/language-names.ts'
import { startTranscriptionServer, verbose } from './transcription-server.ts'
import { windowRequest } from './window-request.ts'

const local = createProcessEngine({
  info: {
    ...{ name: 'local', version: '1', simd: 'none' as const, maxModelBytes: 1_000_000 },
    ...{ prompt: true, secondPass: true, translate: true, wordTimes: true },
  },
  entry: resolve(import.meta.dir, 'steady-recogniser-fixture.ts'),
  threads: 1,
  idleUnloadMs: () => 60_000,
  heartbeatTimeoutMs: 5000,
  recycleGrowthBytes: 50_000_000,
  log: silentLog,
})
afterAll(() => local.close())

function routeTo(address: () => ServerAddress | null) {
  const warned: string[] = []
  const log = { ...silentLog, warn: (_fields: object, message: string) => warned.push(message) }
  const route = createEngineRoute({ local, address, readKey: () => 'key', readLanguage, log })
  const place = async (more = {}) => {
    const result = await route.transcribe(windowRequest(more))
    if (!result.ok) throw new Error(result.failure.message)
    return result.value.model === undefined ? 'here' : 'there'
  }
  return { route, place, warned }
}

const keyless = (baseUrl: string): ServerAddress => ({ baseUrl, apiKeyEnv: null })

test('sends nothing without an address, and never previews and translations', async () => {
  await using server = startTranscriptionServer(() => verbose('Hello'))
  let address: ServerAddress | null = null
  const { route, place } = routeTo(() => address)
  await route.check()
  expect([await place(), route.destination(), route.info().name]).toEqual([
    ...['here', { sentTo: null, problem: null }, 'local'],
  ])
  expect(server.received).toEqual([])
  address = keyless(server.baseUrl)
  await route.check()
  expect([await place({ preview: true }), await place({ task: 'translate' })]).toEqual(['here', 'here'])
  expect(server.windows()).toBe(0)
  expect([await place(), route.info().secondPass, server.windows()]).toEqual(['there', false, 1])
  expect(route.destination()).toEqual({ sentTo: new URL(server.baseUrl).origin, problem: null })
  address = null
  expect([await place(), server.windows()]).toEqual(['here', 1])
})

test('takes over when the server fails, sends nothing to it for a while, and forgets that with the address', async () => {
  await using broken = startTranscriptionServer(() => new Response(null, { status: 500 }))
  await using good = startTranscriptionServer(() => verbose('Hello'))
  let address = keyless(broken.baseUrl)
  const { route, place, warned } = routeTo(() => address)
  for (let window = 0; window < 3; window++) expect(await place()).toBe('here')
  expect([broken.windows(), warned]).toEqual([2, ['local took over', 'local took over']])
  expect(route.destination().problem).toContain('status 500')
  expect(route.info()).toMatchObject({ name: 'local', secondPass: true })
  address = keyless(good.baseUrl)
  expect([await place(), route.destination().problem]).toEqual(['there', null])
})

test('takes over at once from a server that refuses the key, and checks it before the first recording', async () => {
  await using server = startTranscriptionServer(
    () => verbose('Hello'),
    () => new Response(null, { status: 403 }),
  )
  const { route, place, warned } = routeTo(() => ({
    ...keyless(server.baseUrl),
    apiKeyEnv: 'DICTATION_GPU_KEY',
  }))
  await route.check()
  expect(route.destination().problem).toContain('requires a valid API key (status 403)')
  expect(warned).toEqual(['this computer transcribes instead'])
  expect([await place(), await place()]).toEqual(['here', 'here'])
  expect([server.windows(), server.received.length]).toEqual([0, 2])
})
