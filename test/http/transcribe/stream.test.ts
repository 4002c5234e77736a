// Checks that a finished transcription stream releases its memory. The transcription is a stub that ends at once.

import { expect, test } from 'bun:test'
import { type Run, transcriptionStream } from '../../../src/http/transcribe/stream.ts'
import { silentLog } from '../../../src/lib/log.ts'
import { fail } from '../../../src/lib/result.ts'
import { signalsAlive } from '../../support/signals.ts'
import { until } from '../../support/until.ts'

const run: Run = async ({ onDecoded }) => {
  onDecoded?.({ durationMs: 1000, decodeMs: 1 })
  return fail({ code: 'aborted', message: 'nothing was transcribed' })
}

const format = {
  listeners: () => ({}),
  last: () => [{ event: 'done', data: {} }],
  broken: () => [],
  describe: () => ({}),
}

test('the shutdown signal does not retain streams that were read to the end', async () => {
  const shutdown = new AbortController()
  const streamOnce = async () => {
    const clientGone = new AbortController().signal
    const dispose = async () => {}
    const options = { run, log: silentLog, clientGone, shutdown: shutdown.signal, dispose }
    const text = await (await transcriptionStream(options, format)).text()
    expect(text).toContain('event: done')
  }
  await streamOnce()
  const before = signalsAlive()
  for (let streams = 0; streams < 100; streams++) await streamOnce()
  // A finished stream is released after a short delay and freed by one of the next garbage collections.
  await until(() => signalsAlive() - before < 20, {
    what: () => `signals to be collected; ${signalsAlive() - before} more are alive`,
  })
})
