import { expect, test } from 'bun:test'
import { resolve } from 'node:path'
import { startProcess } from '../../src/engine/killable-process.ts'
import { modelCalled } from './window-request.ts'

test('does not send a request that is already cancelled', async () => {
  const recogniser = startProcess(resolve(import.meta.dir, 'recogniser-fixture.ts'))
  const request = (signal: AbortSignal) =>
    recogniser.request({
      message: { kind: 'load', model: modelCalled('stops'), threads: 1, threadsTried: true },
      ...{ deadlineMs: 60_000, sideBySide: false, silenceMs: null, stops: false, signal },
      onEvent: () => {},
    })
  const going = request(new AbortController().signal)
  expect(await request(AbortSignal.abort())).toEqual({ kind: 'stopped' })
  expect(await going).toMatchObject({ kind: 'answered', answer: { kind: 'loaded' } })
  expect(recogniser.isAlive()).toBe(true)
  await recogniser.kill()
})
