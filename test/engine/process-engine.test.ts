// Supervision of a recogniser's process: order, kills, restarts, recycling. recogniser-fixture.ts replaces whisper.cpp.

import { afterEach, expect, test } from 'bun:test'
import { resolve } from 'node:path'
import type { Engine, WindowRequest } from '../../src/engine/engine.ts'
import type { ComputeChoice } from '../../src/engine/gpu/gpu-request.ts'
import { createProcessEngine } from '../../src/engine/process-engine.ts'
import { silentLog } from '../../src/lib/log.ts'
import { testAtLength } from '../support/at-length.ts'
import { until } from '../support/until.ts'
import { modelCalled, windowRequest } from './window-request.ts'

const engines: Engine[] = []

afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close()
})

type Options = { threads?: number; idleUnloadMs?: number; use?: () => ComputeChoice }

const createEngine = (options: Options = {}) => {
  const engine = createProcessEngine({
    info: {
      ...{ name: 'fixture', version: '1', simd: 'none' as const, maxModelBytes: 1_000_000 },
      ...{ prompt: true, secondPass: true, translate: true, wordTimes: true },
    },
    entry: resolve(import.meta.dir, 'recogniser-fixture.ts'),
    threads: options.threads ?? 1,
    idleUnloadMs: () => options.idleUnloadMs ?? 60_000,
    heartbeatTimeoutMs: 5000,
    recycleGrowthBytes: 50_000_000,
    gpu: () => ({ use: options.use?.() ?? 'cpu', folder: '/nowhere' }),
    log: silentLog,
  })
  engines.push(engine)
  return engine
}

const request = (language: string | null, more: Partial<WindowRequest> = {}): WindowRequest =>
  windowRequest({ language, ...more })

/** The fixture returns its process id. */
const processOf = async (engine: Engine) => {
  const result = await engine.transcribe(request(null))
  if (!result.ok) throw new Error(result.failure.message)
  return Number(result.value.language)
}

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('serves all windows in order with one process', async () => {
  const engine = createEngine()
  const order: number[] = []
  const note = (n: number) => ({ onProgress: () => order.push(n) })
  const results = await Promise.all([1, 2, 3].map((n) => engine.transcribe(request(null, note(n)))))
  expect(order).toEqual([1, 2, 3])
  expect(new Set(results.map((result) => result.ok && result.value.language)).size).toBe(1)
  expect(engine.health()).toEqual({ state: 'ready', loadedModel: 'any', restarts: 0 })
})

test.each([['trap'], ['throw']])('restarts a recogniser after a %s', async (fault) => {
  const engine = createEngine()
  const first = await processOf(engine)
  const result = await engine.transcribe(request(fault))
  expect(result).toMatchObject({ ok: false, failure: { code: 'engine_crashed' } })
  expect(isRunning(first)).toBe(false)
  expect(await processOf(engine)).not.toBe(first)
  expect(engine.health().restarts).toBe(1)
})

test('loads the model again when the GPU is turned on, after the window that runs', async () => {
  let use: ComputeChoice = 'cpu'
  const engine = createEngine({ use: () => use })
  const first = await processOf(engine)
  const onProgress = () => {
    use = 'gpu'
  }
  const running = await engine.transcribe(request(null, { onProgress }))
  expect(running).toMatchObject({ ok: true, value: { language: String(first) } })
  const second = await processOf(engine)
  expect(second).not.toBe(first)
  expect(isRunning(first)).toBe(false)
  expect(await processOf(engine)).toBe(second)
  expect(engine.health().restarts).toBe(0)
})

testAtLength(
  'reports a silent recogniser in the health, then kills it',
  async () => {
    const engine = createEngine()
    const first = await processOf(engine)
    const looping = engine.transcribe(request('loop'))
    await until(() => engine.health().state === 'stuck')
    expect(await looping).toMatchObject({ ok: false, failure: { code: 'engine_timeout' } })
    expect(isRunning(first)).toBe(false)
    expect(await processOf(engine)).not.toBe(first)
  },
  180_000,
)

test('kills the process of a cancelled window, then serves the waiting ones', async () => {
  const engine = createEngine()
  const first = await processOf(engine)
  const [running, waiting] = [new AbortController(), new AbortController()]
  const started = Promise.withResolvers<void>()
  const onProgress = () => started.resolve()
  const one = engine.transcribe(request('wait', { signal: running.signal, onProgress }))
  const two = engine.transcribe(request(null, { signal: waiting.signal }))
  const three = engine.transcribe(request(null))
  await started.promise
  waiting.abort()
  expect(await two).toMatchObject({ failure: { code: 'aborted' } })
  expect(isRunning(first)).toBe(true)
  running.abort()
  expect(await one).toMatchObject({ failure: { code: 'aborted' } })
  expect(isRunning(first)).toBe(false)
  expect(await three).toMatchObject({ ok: true })
  expect(engine.health().restarts).toBe(0)
})

test('stops a window in a process that supports it, which then serves the next at once', async () => {
  const engine = createEngine()
  const model = modelCalled('stops')
  const load = async () => {
    const result = await engine.transcribe(request(null, { model }))
    return result.ok ? Number(result.value.language) : null
  }
  const first = await load()
  const stop = new AbortController()
  const started = Promise.withResolvers<void>()
  const options = { model, signal: stop.signal, onProgress: () => started.resolve() }
  const stopped = engine.transcribe(request('until stopped', options))
  const next = load()
  await started.promise
  stop.abort()
  expect(await stopped).toMatchObject({ failure: { code: 'aborted' } })
  expect(await next).toBe(first)
  expect(engine.health().restarts).toBe(0)
})

test('kills a process that does not honour a stop', async () => {
  const engine = createEngine()
  const model = modelCalled('stops')
  for (const fault of ['wait', 'loop']) {
    const stop = new AbortController()
    const started = Promise.withResolvers<void>()
    const options = { model, signal: stop.signal, onProgress: () => started.resolve() }
    const running = engine.transcribe(request(fault, options))
    await started.promise
    stop.abort()
    expect(await running).toMatchObject({ failure: { code: 'aborted' } })
    expect(await engine.transcribe(request(null, { model }))).toMatchObject({ ok: true })
  }
  expect(engine.health().restarts).toBe(0)
})

/** Two windows that wait side by side until they are cancelled, and one that ends the process beside them. */
const besideTwo = async (engine: Engine, more: WindowRequest) => {
  const stop = new AbortController()
  const [one, two] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const beside = [one, two].map(({ resolve }) =>
    engine.transcribe(
      request('wait', { sideBySide: true, signal: stop.signal, onProgress: () => resolve() }),
    ),
  )
  await Promise.all([one.promise, two.promise])
  return { outcome: await engine.transcribe(more), stop, beside }
}

test('runs windows side by side, and another one before them', async () => {
  const engine = createEngine()
  const first = await processOf(engine)
  const { outcome, stop, beside } = await besideTwo(engine, request(null))
  expect(outcome).toMatchObject({ ok: true, value: { language: String(first) } })
  stop.abort()
  for (const one of beside) expect(await one).toMatchObject({ failure: { code: 'aborted' } })
  expect(await processOf(engine)).not.toBe(first)
  expect(engine.health().restarts).toBe(0)
})

test('sends one window at a time to a recogniser that supports no more', async () => {
  const engine = createEngine()
  const model = modelCalled('one by one')
  await engine.load(model)
  const order: number[] = []
  const note = (n: number) => ({ model, sideBySide: true, onProgress: () => order.push(n) })
  const results = [1, 2, 3].map(async (n) => {
    await engine.transcribe(request(null, note(n)))
    order.push(-n)
  })
  await Promise.all(results)
  expect(order).toEqual([1, -1, 2, -2, 3, -3])
})

test('repeats a window alone that ended the process beside others, and serves the others', async () => {
  const engine = createEngine()
  const first = await processOf(engine)
  const culprit = engine.transcribe(request('trap', { sideBySide: true }))
  const others = [1, 2].map(() => engine.transcribe(request(null, { sideBySide: true })))
  expect(await culprit).toMatchObject({ failure: { code: 'engine_crashed' } })
  for (const one of others) expect(await one).toMatchObject({ ok: true })
  expect(await processOf(engine)).not.toBe(first)
})

test('loses no other window when one is cancelled', async () => {
  const engine = createEngine()
  await processOf(engine)
  const stop = new AbortController()
  const started = Promise.withResolvers<void>()
  const options = { sideBySide: true, signal: stop.signal, onProgress: () => started.resolve() }
  const cancelled = engine.transcribe(request('wait', options))
  await started.promise
  const slow = Promise.withResolvers<void>()
  const other = engine.transcribe(request('once', { sideBySide: true, onProgress: () => slow.resolve() }))
  await slow.promise
  stop.abort()
  expect(await cancelled).toMatchObject({ failure: { code: 'aborted' } })
  expect(await other).toMatchObject({ ok: true })
})

test('continues with one thread if threads do not work', async () => {
  const engine = createEngine({ threads: 4 })
  expect(await engine.load(modelCalled('any'))).toMatchObject({ ok: true })
  expect(engine.info().threads).toBe(1)
  expect(engine.health().restarts).toBe(0)
})

test('replaces a process that has grown, between two windows', async () => {
  const engine = createEngine()
  const first = await processOf(engine)
  expect(await engine.transcribe(request('grow'))).toMatchObject({ ok: true })
  expect(await processOf(engine)).not.toBe(first)
  expect(isRunning(first)).toBe(false)
})

test('lets a process with a large model grow by more', async () => {
  const engine = createEngine()
  const large = { model: modelCalled('any', 1_000_000_000) }
  const first = await engine.transcribe(request(null, large))
  expect(await engine.transcribe(request('grow', large))).toEqual(first)
  expect(await engine.transcribe(request(null, large))).toEqual(first)
})

test('ends an idle process after a while', async () => {
  const engine = createEngine({ idleUnloadMs: 100 })
  const first = await processOf(engine)
  await until(() => !isRunning(first))
  expect(engine.health()).toEqual({ state: 'unloaded', loadedModel: null, restarts: 0 })
  expect(await processOf(engine)).not.toBe(first)
})

test('a load of the loaded model restarts the idle time', async () => {
  const options = { idleUnloadMs: 60_000 }
  const engine = createEngine(options)
  const first = await processOf(engine)
  options.idleUnloadMs = 50
  await engine.load(modelCalled('any'))
  await until(() => !isRunning(first))
})

test('replaces the loaded model by another', async () => {
  const engine = createEngine()
  const first = await processOf(engine)
  await engine.load(modelCalled('other'))
  expect(engine.health().loadedModel).toBe('other')
  expect(isRunning(first)).toBe(false)
})

test('rejects an invalid model, and survives one that kills the process', async () => {
  const engine = createEngine()
  expect(await engine.load(modelCalled('foreign'))).toMatchObject({ failure: { code: 'model_unreadable' } })
  expect(await engine.load(modelCalled('traps'))).toMatchObject({ failure: { code: 'engine_crashed' } })
  expect(await engine.load(modelCalled('any'))).toMatchObject({ ok: true })
})

test('rejects everything after close, and leaves no process', async () => {
  const engine = createEngine()
  const first = await processOf(engine)
  const started = Promise.withResolvers<void>()
  const running = engine.transcribe(request('loop', { onProgress: () => started.resolve() }))
  const waiting = engine.transcribe(request(null))
  await started.promise
  await engine.close()
  expect(isRunning(first)).toBe(false)
  for (const result of [await running, await waiting, await engine.load(modelCalled('any'))])
    expect(result).toMatchObject({ ok: false, failure: { code: 'engine_closed' } })
})

test('retains no finished window', async () => {
  const engine = createEngine()
  const windows: WeakRef<Float32Array>[] = []
  const transcribeWindow = async () => {
    const samples = new Float32Array(480_000)
    windows.push(new WeakRef(samples))
    await engine.transcribe(request(null, { samples }))
  }
  for (let i = 0; i < 20; i += 1) await transcribeWindow()
  const alive = () => {
    Bun.gc(true)
    return windows.filter((window) => window.deref() !== undefined).length
  }
  // the stack may still reference the last ones
  await until(() => alive() <= 3)
})
