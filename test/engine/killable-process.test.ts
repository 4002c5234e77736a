// A process of a recogniser by itself: what is cancelled before it begins reaches it in no way.
// The recogniser is recogniser-fixture.ts; its guarding as a whole is process-engine.test.ts.

import { expect, test } from 'bun:test'
import { resolve } from 'node:path'
import { startProcess } from '../../src/engine/killable-process.ts'
import { modelCalled } from './window-request.ts'

test('a question that is cancelled already leaves the process to the others', async () => {
  const recogniser = startProcess(resolve(import.meta.dir, 'recogniser-fixture.ts'))
  const ask = (signal: AbortSignal) =>
    recogniser.ask({
      question: { kind: 'load', model: modelCalled('stops'), threads: 1, threadsTried: true },
      ...{ deadlineMs: 60_000, sideBySide: false, silenceMs: null, stops: false, signal },
      onEvent: () => {},
    })
  const going = ask(new AbortController().signal)
  expect(await ask(AbortSignal.abort())).toEqual({ kind: 'stopped' })
  expect(await going).toMatchObject({ kind: 'answered', answer: { kind: 'loaded' } })
  expect(recogniser.isAlive()).toBe(true)
  await recogniser.kill()
})
