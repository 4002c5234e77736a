// What a stream that tells of a recording leaves behind once it has ended; what it tells is transcribe.test.ts.
// The work is handed in: it ends at once, so that only the stream itself is seen.

import { expect, test } from 'bun:test'
import { hearingStream, type Run } from '../../src/http/transcribe/hearing-stream.ts'
import { silentLog } from '../../src/lib/log.ts'
import { fail } from '../../src/lib/result.ts'
import { signalsAlive } from '../support/signals.ts'
import { until } from '../support/until.ts'

const run: Run = async ({ onDecoded }) => {
  onDecoded?.({ durationMs: 1000, decodeMs: 1 })
  return fail({ code: 'aborted', message: 'nothing was heard' })
}

const telling = {
  listeners: () => ({}),
  last: () => [{ event: 'done', data: {} }],
  broken: () => [],
  describe: () => ({}),
}

test('streams that were read to their end are not kept by the signal of the stop, which outlives them', async () => {
  const shutdown = new AbortController()
  const streamOnce = async () => {
    const clientGone = new AbortController().signal
    const dispose = async () => {}
    const options = { run, log: silentLog, clientGone, shutdown: shutdown.signal, dispose }
    const text = await (await hearingStream(options, telling)).text()
    expect(text).toContain('event: done')
  }
  await streamOnce()
  const before = signalsAlive()
  for (let streams = 0; streams < 100; streams++) await streamOnce()
  // What a stream holds is let go of a little after its end, and found by one of the next collections.
  await until(() => signalsAlive() - before < 20, {
    what: () => `signals to be collected; ${signalsAlive() - before} more are alive`,
  })
})
