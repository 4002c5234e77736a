// Waiting for jobs of this process.

import { expect, test } from 'bun:test'
import { createJobCompletions } from '../../src/jobs/completions.ts'

test('reports the end of an unregistered job only to a caller that waits', async () => {
  const completions = createJobCompletions()
  expect(await completions.wait('ended long ago', { timeoutMs: 0 })).toBeNull()
  expect(await completions.wait('ended long ago', { timeoutMs: 1000 })).toEqual({
    capture: null,
    warnings: [],
  })
})
