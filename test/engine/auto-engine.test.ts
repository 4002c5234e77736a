// When the default engine falls back to the other one. Both are real processes, of recogniser-fixture.ts, which misbehaves on
// demand.

import { afterEach, expect, test } from 'bun:test'
import { resolve } from 'node:path'
import { createAutoEngine } from '../../src/engine/auto-engine.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { createProcessEngine } from '../../src/engine/process-engine.ts'
import { silentLog } from '../../src/lib/log.ts'
import { until } from '../support/until.ts'
import { modelCalled, windowRequest } from './window-request.ts'

const engines: Engine[] = []

afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close()
})

const fixture = (name: string, entry: string) =>
  createProcessEngine({
    info: {
      ...{ name, version: '1', simd: 'none' as const, maxModelBytes: 1_000_000 },
      ...{ prompt: true, secondPass: true, translate: true, wordTimes: true },
    },
    entry: resolve(import.meta.dir, entry),
    threads: 1,
    idleUnloadMs: () => 60_000,
    heartbeatTimeoutMs: 5000,
    recycleGrowthBytes: 50_000_000,
    log: silentLog,
  })

/** The preferred engine fails on requests that the reference engine, which obeys fewer names, serves. */
const create = (options: { firstFallbackMs?: number } = {}) => {
  const preferred = fixture('preferred', 'recogniser-fixture.ts')
  const reference = fixture('reference', 'steady-recogniser-fixture.ts')
  const engine = createAutoEngine({ preferred, reference, log: silentLog, ...options })
  engines.push(engine)
  return engine
}

test('uses the preferred engine, and does not start the other', async () => {
  const engine = create()
  expect(await engine.transcribe(windowRequest())).toMatchObject({ ok: true })
  expect(engine.info().name).toBe('preferred')
  expect(engine.health()).toEqual({ state: 'ready', loadedModel: 'any', restarts: 0 })
})

test('serves a model that the preferred engine cannot read with the other one, permanently', async () => {
  const engine = create()
  expect(await engine.load(modelCalled('foreign'))).toMatchObject({ ok: true })
  expect(engine.info().name).toBe('reference')
  expect(await engine.transcribe(windowRequest({ model: modelCalled('foreign') }))).toMatchObject({
    ok: true,
  })
  expect(engine.health()).toMatchObject({ loadedModel: 'foreign', restarts: 0 })
  expect(await engine.transcribe(windowRequest())).toMatchObject({ ok: true })
  expect(engine.info().name).toBe('preferred')
})

test('repeats a window that crashed the preferred engine, and emits nothing twice', async () => {
  const engine = create()
  const progress: number[] = []
  const onProgress = (fraction: number) => progress.push(fraction)
  expect(await engine.transcribe(windowRequest({ language: 'trap', onProgress }))).toMatchObject({ ok: true })
  expect(progress).toEqual([0.5])
  expect(engine.health().restarts).toBe(1)
  expect(await engine.transcribe(windowRequest())).toMatchObject({ ok: true })
  expect(engine.info().name).toBe('preferred')
})

test('resets the failure count after a successful window', async () => {
  const engine = create()
  for (const language of ['trap', null, 'throw', null]) {
    expect(await engine.transcribe(windowRequest({ language }))).toMatchObject({ ok: true })
  }
  expect(engine.info().name).toBe('preferred')
})

test('stops using the preferred engine for a model that crashed it twice in a row', async () => {
  const engine = create()
  for (const language of ['trap', 'throw', null]) {
    expect(await engine.transcribe(windowRequest({ language }))).toMatchObject({ ok: true })
  }
  expect(engine.info().name).toBe('reference')
  expect(await engine.transcribe(windowRequest({ model: modelCalled('other') }))).toMatchObject({ ok: true })
  expect(engine.info().name).toBe('preferred')
})

test('returns to the preferred engine after a while', async () => {
  const engine = create({ firstFallbackMs: 1500 })
  const usedFor = async (language: string | null) => {
    expect(await engine.transcribe(windowRequest({ language }))).toMatchObject({ ok: true })
    return engine.info().name
  }
  await usedFor('trap')
  await usedFor('trap')
  expect(await usedFor(null)).toBe('reference')
  await until(async () => (await usedFor(null)) === 'preferred')
})

test('does not fall back when it was cancelled or closed', async () => {
  const engine = create()
  const cancelled = new AbortController()
  const waiting = engine.transcribe(
    windowRequest({ language: 'wait', signal: cancelled.signal, onProgress: () => cancelled.abort() }),
  )
  expect(await waiting).toMatchObject({ ok: false, failure: { code: 'aborted' } })
  expect(engine.info().name).toBe('preferred')
  await engine.close()
  expect(await engine.transcribe(windowRequest())).toMatchObject({ failure: { code: 'engine_closed' } })
})

test('returns the failure of the preferred engine if both fail', async () => {
  const engine = create()
  const result = await engine.load(modelCalled('traps'))
  expect(result).toMatchObject({ ok: false, failure: { code: 'engine_crashed' } })
  expect(engine.info().name).toBe('preferred')
})
