import { afterEach, expect, test } from 'bun:test'
import { resolve } from 'node:path'
import { type Child, type RequestOptions, startChild } from '../../src/supervisor/child.ts'
import { until } from '../support/until.ts'
import type { Fixture } from './child-fixture.ts'

type FixtureChild = Child<Fixture['request'], Fixture['event'], Fixture['answer']>

const children: FixtureChild[] = []

afterEach(async () => {
  for (const child of children.splice(0)) await child.kill()
})

const start = (): FixtureChild => {
  const script = resolve(import.meta.dir, 'child-fixture.ts')
  const child: FixtureChild = startChild({ script, serialization: 'json' })
  children.push(child)
  return child
}

/** Sends a request and waits until the process works on it. */
const begin = async (
  child: FixtureChild,
  request: Fixture['request'],
  options: RequestOptions<Fixture['event']> = {},
) => {
  const begun = Promise.withResolvers<void>()
  const outcome = child.request(request, { ...options, onEvent: () => begun.resolve() })
  await begun.promise
  return { outcome }
}

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const EXIT = { kind: 'died', exitCode: 7, signal: null } as const

test('answers requests with their events, also when they overlap', async () => {
  const child = start()
  const events: string[] = []
  const onEvent = (event: string) => events.push(event)
  const slow = child.request('pid after a second', { onEvent })
  expect(await child.request('pid')).toEqual({ kind: 'answered', answer: child.pid })
  expect(child.isBusy()).toBe(true)
  expect(await slow).toEqual({ kind: 'answered', answer: child.pid })
  expect(events).toEqual(['begun'])
  expect(child.isBusy()).toBe(false)
})

test('tidies after each answer, and ignores the answer to a notification', async () => {
  const child = start()
  await child.request('pid')
  child.notify('pid')
  expect(child.isBusy()).toBe(false)
  await until(async () => {
    const outcome = await child.request('count')
    return outcome.kind === 'answered' && outcome.answer === 2
  })
})

test('does not send a request that is already aborted', async () => {
  const child = start()
  const running = child.request('pid')
  expect(await child.request('exit', { signal: AbortSignal.abort() })).toEqual({ kind: 'aborted' })
  expect(await running).toMatchObject({ kind: 'answered' })
  expect(child.isAlive()).toBe(true)
})

test('blames the only request for the death of the process', async () => {
  const child = start()
  expect(await child.request('exit')).toEqual({ kind: 'blamed', cause: EXIT })
  expect(await child.ended).toEqual({ cause: EXIT, requests: 1 })
  expect(child.isAlive()).toBe(false)
  // A request to a dead process is not left pending.
  expect(await child.request('pid')).toEqual({ kind: 'blamed', cause: EXIT })
})

test('an exception ends the process', async () => {
  expect(await start().request('throw')).toMatchObject({ kind: 'blamed', cause: { kind: 'died' } })
})

test('a death while idle blames no request', async () => {
  const child = start()
  await child.request('pid')
  process.kill(child.pid, 'SIGKILL')
  expect(await child.ended).toMatchObject({ cause: { kind: 'died', signal: 'SIGKILL' }, requests: 0 })
})

test('blames the first request in the queue, not those that wait for it', async () => {
  const child = start()
  const { outcome } = await begin(child, 'wait')
  const waiting = [child.request('pid after a second'), child.request('wait')]
  process.kill(child.pid, 'SIGKILL')
  expect(await outcome).toMatchObject({ kind: 'blamed' })
  for (const one of waiting) expect(await one).toMatchObject({ kind: 'interrupted' })
})

test('blames no request if several ran side by side', async () => {
  const child = start()
  const { outcome } = await begin(child, 'wait', { sideBySide: true })
  const culprit = child.request('exit', { sideBySide: true })
  for (const one of [outcome, culprit]) expect(await one).toEqual({ kind: 'interrupted', cause: EXIT })
  const next = start()
  const beside = await begin(next, 'wait', { sideBySide: true })
  expect(await next.request('exit')).toEqual({ kind: 'interrupted', cause: EXIT })
  expect(await beside.outcome).toMatchObject({ kind: 'interrupted' })
})

test('an abort kills the process and interrupts the other requests', async () => {
  const child = start()
  const stop = new AbortController()
  const { outcome } = await begin(child, 'loop', { signal: stop.signal })
  const other = child.request('pid')
  stop.abort()
  expect(await outcome).toEqual({ kind: 'aborted' })
  expect(isRunning(child.pid)).toBe(false)
  expect(await other).toEqual({ kind: 'interrupted', cause: { kind: 'aborted' } })
  expect(await child.ended).toMatchObject({ cause: { kind: 'aborted' } })
})

test('an abort with time to stop leaves the process alive if it honours the stop', async () => {
  const child = start()
  const stop = new AbortController()
  const options = { signal: stop.signal, stopWithinMs: 60_000 }
  const { outcome } = await begin(child, 'until stopped', options)
  stop.abort()
  expect(await outcome).toEqual({ kind: 'aborted' })
  expect(await child.request('pid')).toEqual({ kind: 'answered', answer: child.pid })
})

test('an abort kills a process that does not stop in time', async () => {
  const child = start()
  const stop = new AbortController()
  const { outcome } = await begin(child, 'wait', { signal: stop.signal, stopWithinMs: 100 })
  stop.abort()
  expect(await outcome).toEqual({ kind: 'aborted' })
  expect(isRunning(child.pid)).toBe(false)
})

test('kills a process that exceeds the deadline of a request', async () => {
  const child = start()
  const outcome = child.request('wait', { deadlineMs: 1000 })
  expect(await outcome).toEqual({ kind: 'blamed', cause: { kind: 'late', withinMs: 1000 } })
  expect(isRunning(child.pid)).toBe(false)
})

test('the deadline of a request does not count while another one is worked on', async () => {
  const child = start()
  const stop = new AbortController()
  const { outcome } = await begin(child, 'wait', { signal: stop.signal })
  const [queued, beside] = [
    child.request('pid after a second', { deadlineMs: 0 }),
    child.request('pid after a second', { deadlineMs: 0, sideBySide: true }),
  ]
  expect(await queued).toMatchObject({ kind: 'answered' })
  expect(await beside).toMatchObject({ kind: 'answered' })
  stop.abort()
  expect(await outcome).toEqual({ kind: 'aborted' })
})

test('kills a silent process, but not one that sends heartbeats', async () => {
  const child = start()
  const { outcome } = await begin(child, 'loop', { silenceMs: 2000 })
  await until(() => child.silentMs() >= 1000)
  expect(await outcome).toEqual({ kind: 'blamed', cause: { kind: 'silent', withinMs: 2000 } })
  const busy = start()
  expect(await busy.request('pid after a second', { silenceMs: 1000 })).toMatchObject({ kind: 'answered' })
})

test('a deliberate kill blames no request', async () => {
  const child = start()
  const { outcome } = await begin(child, 'loop')
  await child.kill()
  expect(isRunning(child.pid)).toBe(false)
  expect(await outcome).toEqual({ kind: 'interrupted', cause: { kind: 'killed' } })
  expect(await child.ended).toEqual({ cause: { kind: 'killed' }, requests: 1 })
})

test('retains no finished request', async () => {
  const child = start()
  const signals: WeakRef<AbortSignal>[] = []
  const send = async () => {
    const { signal } = new AbortController()
    signals.push(new WeakRef(signal))
    await child.request('pid', { signal })
  }
  for (let i = 0; i < 20; i += 1) await send()
  const retained = () => {
    Bun.gc(true)
    return signals.filter((signal) => signal.deref() !== undefined).length
  }
  // the stack may still reference the last ones
  await until(() => retained() <= 3)
})

const startParent = (...parameters: string[]) => {
  const script = resolve(import.meta.dir, 'parent-fixture.ts')
  return Bun.spawn([process.execPath, script, ...parameters], { stdout: 'pipe', stderr: 'inherit' })
}

test('ends when its parent is killed', async () => {
  const parent = startParent('wait')
  const { value } = await parent.stdout.getReader().read()
  const pid = Number(new TextDecoder().decode(value))
  expect(isRunning(pid)).toBe(true)
  parent.kill('SIGKILL')
  await until(() => !isRunning(pid))
})

test('does not keep its parent alive while it is idle', async () => {
  const parent = startParent()
  expect(await parent.exited).toBe(0)
  const pid = Number(await new Response(parent.stdout).text())
  expect(pid).toBeGreaterThan(0)
  await until(() => !isRunning(pid))
})
