import { expect, test } from 'bun:test'
import { warningOf } from '../../../src/captures/retention.ts'
import { announcedRemoval } from '../../../src/ui/settings/setting-warnings.ts'

const announcement = (captures: number, audio: number, why: 'many' | 'clock' = 'many') =>
  warningOf({ at: Date.UTC(2026, 0, 1), why, captures, audio, limits: {} } as never).message

test('reads the numbers and the time of an announced removal from the message of the server', () => {
  const at = '2026-01-02T00:00:00.000Z'
  expect(announcedRemoval(announcement(19, 3))).toEqual({ captures: 19, audio: 3, at, isByClock: false })
  expect(announcedRemoval(announcement(1, 0, 'clock'))).toEqual({
    captures: 1,
    audio: 0,
    at,
    isByClock: true,
  })
  expect(announcedRemoval(announcement(0, 1))).toEqual({ captures: 0, audio: 1, at, isByClock: false })
  expect(announcedRemoval('Something else.')).toBeNull()
})
