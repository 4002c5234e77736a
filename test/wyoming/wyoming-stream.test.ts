import { expect, test } from 'bun:test'
import { readLayout } from '../../src/wyoming/wyoming-stream.ts'

const layoutOf = (data: Record<string, unknown>) =>
  readLayout({ type: 'audio-start', data, payload: new Uint8Array() })

test('samples are signed integers of one to four bytes', () => {
  const samples = [1, 2, 3, 4].map((width) => layoutOf({ rate: 8000, width, channels: 2 }))
  expect(samples).toEqual(
    (['s8', 's16', 's24', 's32'] as const).map((sample) => ({
      ok: true,
      value: { sample, littleEndian: true, rate: 8000, channels: 2 },
    })),
  )
})

test('rejects formats that cannot be converted, and names each wrong field', () => {
  const wrong = layoutOf({ rate: 3999, width: 5, channels: 'two' })
  expect(!wrong.ok && wrong.failure.errors?.map(({ path }) => path)).toEqual(['/rate', '/width', '/channels'])
  expect(layoutOf({}).ok).toBe(false)
})
