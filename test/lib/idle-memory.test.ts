import { test } from 'bun:test'
import { createIdleMemory } from '../../src/lib/idle-memory.ts'
import { until } from '../support/until.ts'

const IDLE_MS = 50

test('collects garbage once per idle period, and again after the next request', async () => {
  let collections = 0
  const memory = createIdleMemory(() => void collections++, IDLE_MS)
  const isCollected = (times: number) => until(() => collections === times, { what: `${times} collections` })
  await isCollected(1)
  memory.touch()
  memory.touch()
  await isCollected(2)
  memory.stop()
})
