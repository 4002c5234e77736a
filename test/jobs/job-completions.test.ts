// Who waits for a job, and who does not.

import { expect, test } from 'bun:test'
import { createJobCompletions } from '../../src/jobs/job-completions.ts'

test('who does not wait is not told that a job has ended, and who waits is', async () => {
  const completions = createJobCompletions()
  expect(await completions.wait('ended long ago', { timeoutMs: 0 })).toBeNull()
  expect(await completions.wait('ended long ago', { timeoutMs: 1000 })).toEqual({
    capture: null,
    warnings: [],
  })
})
