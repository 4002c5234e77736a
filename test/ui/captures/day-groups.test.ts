import { expect, test } from 'bun:test'
import { groupsByDay } from '../../../src/ui/captures/day-groups.ts'

/** Local noon, so that the test holds in every time zone. */
const at = (month: number, day: number, year = 2026) => ({
  recorded_at: new Date(year, month - 1, day, 12).toISOString(),
})

test('groups by calendar days before now, then by month', () => {
  const now = new Date(2026, 2, 3, 0, 30)
  const items = [
    at(3, 3),
    at(3, 2),
    at(3, 1),
    at(2, 24),
    at(2, 23),
    at(2, 1),
    at(1, 31),
    at(1, 5),
    at(12, 9, 2025),
  ]
  expect(groupsByDay(items, now).map(({ key, items: of }) => [key, of.length])).toEqual([
    ['today', 1],
    ['yesterday', 1],
    ['week', 2],
    ['month', 2],
    ['2026-01', 2],
    ['2025-12', 1],
  ])
})

test('keeps the order of an ascending list', () => {
  const now = new Date(2026, 2, 3, 18)
  const keys = groupsByDay([at(12, 9, 2025), at(3, 2), at(3, 3)], now).map(({ key }) => key)
  expect(keys).toEqual(['2025-12', 'yesterday', 'today'])
})
