// The default engine's results and requests if one of its two engines fails. Both engines are fakes.

import { expect, test } from 'bun:test'
import { createAutoEngine } from '../../src/engine/auto-engine.ts'
import type { Engine, EngineFailure, Segment } from '../../src/engine/engine.ts'
import { silentLog } from '../../src/lib/log.ts'
import { fail, succeed } from '../../src/lib/result.ts'
import { modelCalled, windowRequest } from './window-request.ts'

const failure = (code: EngineFailure['code'], message: string = code): EngineFailure => ({ code, message })

const segment = (startMs: number, text: string): Segment => ({
  ...{ startMs, endMs: startMs + 1000, text },
  ...{ avgLogprob: null, noSpeechProb: null, words: [] },
})

/** Emits these segments, then fails or succeeds; records its requests. */
const engineOf = (name: string, fails: () => EngineFailure | null, segments: Segment[] = []) => {
  const calls: string[] = []
  const engine: Engine = {
    info: () => ({
      ...{ name, version: '1', threads: 1, simd: 'none' as const, maxModelBytes: 1_000_000 },
      ...{ prompt: true, secondPass: name === 'preferred', translate: true, wordTimes: true },
    }),
    health: () => ({ state: 'ready', loadedModel: 'any', restarts: 0 }),
    load: async () => {
      calls.push('load')
      const failed = fails()
      return failed ? fail(failed) : succeed({ loadMs: 1 })
    },
    transcribe: async ({ onSegment }) => {
      calls.push('transcribe')
      for (const one of segments) onSegment?.(one)
      const failed = fails()
      return failed ? fail(failed) : succeed({ language: name, languageProbability: null, segments })
    },
    warmUp: () => void calls.push('warmUp'),
    unload: async () => void calls.push('unload'),
    close: async () => void calls.push('close'),
  }
  return { engine, calls }
}

const pair = (preferred: ReturnType<typeof engineOf>, reference: ReturnType<typeof engineOf>) =>
  createAutoEngine({ preferred: preferred.engine, reference: reference.engine, log: silentLog })

const working = () => null

test('never retries a file that the preferred engine cannot read, and unloads that engine', async () => {
  const preferred = engineOf('preferred', () => failure('model_unreadable'))
  const engine = pair(preferred, engineOf('reference', working))
  expect(await engine.load(modelCalled('any'))).toMatchObject({ ok: true })
  expect(await engine.transcribe(windowRequest())).toMatchObject({
    ok: true,
    value: { language: 'reference' },
  })
  expect(preferred.calls).toEqual(['load', 'unload'])
})

test('tries another file of the same name with the preferred engine', async () => {
  let broken = true
  const preferred = engineOf('preferred', () => (broken ? failure('model_unreadable') : null))
  const engine = pair(preferred, engineOf('reference', working))
  await engine.load(modelCalled('any'))
  broken = false
  const result = await engine.transcribe(windowRequest({ model: modelCalled('any', 2) }))
  expect(result).toMatchObject({ ok: true, value: { language: 'preferred' } })
})

test('returns the failure of the preferred engine if both fail', async () => {
  const engine = pair(
    engineOf('preferred', () => failure('engine_crashed', 'ours')),
    engineOf('reference', () => failure('engine_timeout', 'theirs')),
  )
  expect(await engine.transcribe(windowRequest())).toEqual(fail(failure('engine_crashed', 'ours')))
})

test.each(['aborted', 'engine_closed'] as const)(
  'returns %s if the reference engine fails with it',
  async (code) => {
    const engine = pair(
      engineOf('preferred', () => failure('engine_crashed')),
      engineOf('reference', () => failure(code)),
    )
    expect(await engine.transcribe(windowRequest())).toMatchObject({ failure: { code } })
  },
)

test.each(['aborted', 'engine_closed'] as const)(
  'does not call the reference engine if the preferred one fails with %s',
  async (code) => {
    const reference = engineOf('reference', working)
    const engine = pair(
      engineOf('preferred', () => failure(code)),
      reference,
    )
    expect(await engine.transcribe(windowRequest())).toMatchObject({ failure: { code } })
    expect(reference.calls).toEqual([])
  },
)

test('does not emit a segment twice', async () => {
  const first = [segment(0, 'one'), segment(1000, 'two')]
  const second = [segment(0, 'One'), segment(1000, 'two,'), segment(2000, 'three')]
  const engine = pair(
    engineOf('preferred', () => failure('engine_crashed'), first),
    engineOf('reference', working, second),
  )
  const emitted: string[] = []
  const result = await engine.transcribe(windowRequest({ onSegment: ({ text }) => emitted.push(text) }))
  expect(emitted).toEqual(['one', 'two', 'three'])
  expect(result).toMatchObject({ ok: true, value: { segments: second } })
})

test('runs a second pass on the preferred engine only, even if it fails', async () => {
  const [preferred, reference] = [
    engineOf('preferred', () => failure('engine_crashed')),
    engineOf('reference', working),
  ]
  const engine = pair(preferred, reference)
  const secondPass = { previousText: 'Said before.' }
  for (let time = 0; time < 3; time++)
    expect(await engine.transcribe(windowRequest({ secondPass }))).toMatchObject({
      failure: { code: 'engine_crashed' },
    })
  expect([preferred.calls.length, reference.calls.length]).toEqual([3, 0])
  expect(engine.info()).toMatchObject({ name: 'preferred', secondPass: true })
})

test('rejects a second pass for a model that the reference engine serves', async () => {
  const preferred = engineOf('preferred', () => failure('model_unreadable'))
  const engine = pair(preferred, engineOf('reference', working))
  await engine.transcribe(windowRequest())
  const calls = preferred.calls.length
  const secondPass = { previousText: 'Said before.' }
  expect(await engine.transcribe(windowRequest({ secondPass }))).toMatchObject({ ok: false })
  expect(preferred.calls).toHaveLength(calls)
})

test('unloads and closes both engines', async () => {
  const [preferred, reference] = [engineOf('preferred', working), engineOf('reference', working)]
  const engine = pair(preferred, reference)
  await engine.unload()
  await engine.close()
  for (const { calls } of [preferred, reference]) expect(calls).toEqual(['unload', 'close'])
})
