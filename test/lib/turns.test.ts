import { expect, test } from 'bun:test'
import { createTurns, type Turn } from '../../src/lib/turns.ts'

/** Tasks that run until the test ends them. */
const open = (most = 2) => {
  const turns = createTurns(() => most)
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const add = (name: string, turn: Turn, signal?: AbortSignal) => {
    const { promise, resolve } = Promise.withResolvers<string>()
    ends.set(name, () => resolve(name))
    const run = () => {
      started.push(name)
      return promise
    }
    return turns.add(() => turn, run, signal)
  }
  const end = async (name: string) => {
    ends.get(name)!()
    // lets the promises settle between the end of a task and the start of the next
    for (let i = 0; i < 10; i += 1) await null
  }
  return { turns, started, add, end }
}

test('runs as many side by side as allowed, and one `first` task', async () => {
  const { started, add, end } = open()
  for (const name of ['a', 'b', 'c']) add(name, 'beside')
  add('dictation', 'first')
  add('another', 'first')
  expect(started).toEqual(['a', 'b', 'dictation'])
  await end('a')
  expect(started).toEqual(['a', 'b', 'dictation', 'c'])
  await end('dictation')
  expect(started).toEqual(['a', 'b', 'dictation', 'c', 'another'])
})

test('runs `last` tasks when no other waits, one at a time with `first` tasks', async () => {
  const { started, add, end } = open(1)
  add('preview', 'last')
  add('another preview', 'last')
  add('a', 'beside')
  add('b', 'beside')
  add('dictation', 'first')
  expect(started).toEqual(['preview', 'a'])
  await end('preview')
  expect(started).toEqual(['preview', 'a', 'dictation'])
  await end('dictation')
  expect(started).toEqual(['preview', 'a', 'dictation', 'another preview'])
})

test('runs an `alone` task after all others, and lets none overtake it', async () => {
  const { turns, started, add, end } = open()
  add('a', 'beside')
  add('load', 'alone')
  add('b', 'beside')
  add('dictation', 'first')
  expect(started).toEqual(['a'])
  await end('a')
  expect(started).toEqual(['a', 'load'])
  await end('load')
  expect(started).toEqual(['a', 'load', 'b', 'dictation'])
  await end('b')
  await end('dictation')
  expect(turns.size()).toBe(0)
})

test('never starts a task that is aborted while it waits, and blocks no other', async () => {
  const { started, add } = open()
  const stop = new AbortController()
  add('a', 'beside')
  const load = add('load', 'alone', stop.signal)
  add('b', 'beside')
  stop.abort()
  expect(await load).toBeNull()
  expect(started).toEqual(['a', 'b'])
})

test('starts the next task after a failed one', async () => {
  const { turns, started, add } = open()
  const failing = turns.add(
    () => 'alone',
    () => Promise.reject(new Error('broken')),
  )
  add('next', 'alone')
  expect(await failing.catch(({ message }) => message)).toBe('broken')
  expect(started).toEqual(['next'])
})

test('a task that is aborted at the moment of its start does not remove another from the queue', async () => {
  const { started, add, end } = open(1)
  const stop = new AbortController()
  add('a', 'beside')
  add('impatient', 'beside', stop.signal)
  add('last', 'beside')
  await end('a')
  stop.abort()
  // It has started and must end by itself.
  expect(started).toEqual(['a', 'impatient'])
  await end('impatient')
  expect(started).toEqual(['a', 'impatient', 'last'])
})

test('does not start a task whose signal is aborted already', async () => {
  const { turns, started, add } = open()
  expect(await add('a', 'beside', AbortSignal.abort())).toBeNull()
  expect(started).toEqual([])
  expect(turns.size()).toBe(0)
})
