// The setting `engine`, in a running server without a GPU library: GET /health reports what it leads to, and why.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { expectSoon } from '../support/expect-soon.ts'
import { type RunningServer, startServer } from '../support/server.ts'

let server: RunningServer
beforeAll(async () => {
  server = await startServer({ env: { DICTATION_ENGINE: 'gpu' } })
})
afterAll(() => server.stop())

const device = async () => {
  const { engine } = (await (await fetch(`${server.url}/health`)).json()) as {
    engine: Record<string, unknown>
  }
  return [engine.device, engine.device_reason]
}

const set = async (engine: string | null) => {
  const init = { method: 'PATCH', headers: { 'Content-Type': 'application/json' } }
  const response = await fetch(`${server.url}/settings/captures`, {
    ...init,
    body: JSON.stringify({ engine }),
  })
  return { status: response.status, engine: ((await response.json()) as { engine?: unknown }).engine }
}

const NO_LIBRARY = ['cpu', 'No GPU library is installed: dictation gpu install']

test('is null at first, and DICTATION_ENGINE applies', async () => {
  await expectSoon(device, NO_LIBRARY)
})

test('takes effect at once, and null brings back DICTATION_ENGINE', async () => {
  expect(await set('cpu')).toEqual({ status: 200, engine: 'cpu' })
  await expectSoon(device, ['cpu', 'The engine is set to cpu.'])
  expect(await set('auto')).toEqual({ status: 200, engine: 'auto' })
  await expectSoon(device, ['cpu', 'Small models are quick enough on the CPU.'])
  expect(await set(null)).toEqual({ status: 200, engine: null })
  await expectSoon(device, NO_LIBRARY)
})

test('is refused if it is none of cpu, auto and gpu', async () => {
  expect((await set('cuda')).status).toBe(422)
  expect((await set('off')).status).toBe(422)
})
