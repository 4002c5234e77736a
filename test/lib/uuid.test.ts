import { expect, test } from 'bun:test'
import { isId, newId, timeOfId } from '../../src/lib/uuid.ts'

test('an id contains its creation time and sorts by it', () => {
  const earlier = new Date('2026-01-31T23:59:59.999Z')
  const later = new Date('2026-02-01T00:00:00.000Z')
  const ids = [newId(later), newId(earlier)]
  expect(ids.map(timeOfId)).toEqual([later, earlier])
  expect(ids.toSorted()).toEqual([ids[1]!, ids[0]!])
})

test('ids of the same millisecond differ', () => {
  const now = new Date()
  expect(new Set(Array.from({ length: 1000 }, () => newId(now))).size).toBe(1000)
})

test('rejects path segments and other kinds of ids', () => {
  expect(isId(newId(new Date()))).toBe(true)
  const others = ['', '..', '../../etc/passwd', crypto.randomUUID(), newId(new Date()).toUpperCase()]
  expect(others.filter(isId)).toEqual([])
})
