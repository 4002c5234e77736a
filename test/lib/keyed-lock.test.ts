import { expect, test } from 'bun:test'
import { createKeyedLock } from '../../src/lib/keyed-lock.ts'

test('runs work under one key one at a time, in the order requested', async () => {
  const lock = createKeyedLock()
  const events: string[] = []
  const work = (name: string) => async () => {
    events.push(`${name} begins`)
    await Promise.resolve()
    events.push(`${name} ends`)
    return name
  }
  expect(await Promise.all([lock('k', work('a')), lock('k', work('b'))])).toEqual(['a', 'b'])
  expect(events).toEqual(['a begins', 'a ends', 'b begins', 'b ends'])
})

test('work under another key does not wait', async () => {
  const lock = createKeyedLock()
  const gate = Promise.withResolvers<void>()
  const blocked = lock('one', () => gate.promise)
  expect(await lock('two', async () => 'free')).toBe('free')
  gate.resolve()
  await blocked
})

test('a failure reaches only its own caller', async () => {
  const lock = createKeyedLock()
  const failing = lock('k', async () => {
    throw new Error('mine')
  })
  const next = lock('k', async () => 'fine')
  await expect(failing).rejects.toThrow('mine')
  expect(await next).toBe('fine')
})
