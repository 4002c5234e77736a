import { afterEach, expect, test } from 'bun:test'
import { resolve } from 'node:path'
import { startChild } from '../../src/supervisor/child.ts'
import { createSupervisor, type Supervisor } from '../../src/supervisor/supervisor.ts'
import { until } from '../support/until.ts'
import type { Fixture } from './child-fixture.ts'

type FixtureSupervisor = Supervisor<Fixture['request'], Fixture['event'], Fixture['answer']>

const supervisors: FixtureSupervisor[] = []

afterEach(async () => {
  for (const supervisor of supervisors.splice(0)) await supervisor.close()
})

const create = (idleMs = () => 60_000): FixtureSupervisor => {
  const script = resolve(import.meta.dir, 'child-fixture.ts')
  const supervisor: FixtureSupervisor = createSupervisor({
    startChild: () => startChild({ script, serialization: 'json' }),
    idleMs,
  })
  supervisors.push(supervisor)
  return supervisor
}

const processOf = async (supervisor: FixtureSupervisor) => {
  const outcome = await supervisor.request('pid')
  if (outcome.kind !== 'answered') throw new Error(outcome.kind)
  return outcome.answer
}

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('starts a process on demand, and uses it for all requests', async () => {
  const supervisor = create()
  expect(supervisor.running()).toBeNull()
  const pids = await Promise.all([1, 2, 3].map(() => processOf(supervisor)))
  expect(new Set(pids)).toEqual(new Set([supervisor.running()!.pid]))
})

test('starts no process for an aborted request', async () => {
  const supervisor = create()
  expect(await supervisor.request('pid', { signal: AbortSignal.abort() })).toEqual({ kind: 'aborted' })
  expect(supervisor.running()).toBeNull()
})

test('serves the next request with a new process after a death', async () => {
  const supervisor = create()
  const first = await processOf(supervisor)
  expect(await supervisor.request('exit')).toMatchObject({ kind: 'blamed' })
  expect(supervisor.running()).toBeNull()
  expect(await processOf(supervisor)).not.toBe(first)
})

test('ends a process that has been idle, not one at work', async () => {
  const supervisor = create(() => 100)
  const outcome = await supervisor.request('pid after a second')
  expect(outcome).toMatchObject({ kind: 'answered' })
  const { pid, ended } = supervisor.running()!
  expect(await ended).toEqual({ cause: { kind: 'killed' }, requests: 0 })
  expect(isRunning(pid)).toBe(false)
  expect(supervisor.running()).toBeNull()
  expect(await processOf(supervisor)).not.toBe(pid)
})

test('ends a process that was started ahead and is never used', async () => {
  const supervisor = create(() => 100)
  supervisor.start()
  const { pid } = supervisor.running()!
  await until(() => !isRunning(pid))
})

test('a touch restarts the idle time', async () => {
  const idle = { ms: 60_000 }
  const supervisor = create(() => idle.ms)
  await processOf(supervisor)
  idle.ms = 50
  supervisor.touch()
  await until(() => supervisor.running() === null)
})

test('replaces and discards a process, and interrupts its requests', async () => {
  const supervisor = create()
  const first = await processOf(supervisor)
  const waiting = supervisor.request('wait')
  await supervisor.replace()
  expect(isRunning(first)).toBe(false)
  expect(await waiting).toEqual({ kind: 'interrupted', cause: { kind: 'killed' } })
  const second = supervisor.running()!.pid
  expect(await processOf(supervisor)).toBe(second)
  await supervisor.discard()
  expect(isRunning(second)).toBe(false)
  expect(supervisor.running()).toBeNull()
})

test('starts nothing after close', async () => {
  const supervisor = create()
  const pid = await processOf(supervisor)
  await supervisor.close()
  expect(isRunning(pid)).toBe(false)
  supervisor.start()
  await supervisor.replace()
  expect(await supervisor.request('pid')).toEqual({ kind: 'aborted' })
  expect(supervisor.running()).toBeNull()
})
