// Sends a request to the speech detector's process and retries it if the process dies before it responds.

import { fail, type Result } from '../lib/result.ts'
import { pause } from '../lib/retry.ts'
import type { SpeechHost, SpeechHostFailure } from './speech-host.ts'
import type { SpeechMemory } from './speech-messages.ts'

/**
 * `speech_detector_failed` means that a second attempt in a fresh process failed as well; a later attempt may succeed.
 */
export type SpeechFailure = { code: Exclude<SpeechHostFailure['code'], 'interrupted'>; message: string }

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5000

/**
 * The process keeps no state between requests, so a fresh one can take over when it dies: once if this request killed
 * it, and any number of times if another request did. This terminates, because each death counts against at least one
 * request; a process that dies while loading counts against none, but only a limited number of times in a row.
 */
export async function detectWithRetry(
  host: SpeechHost,
  question: Parameters<SpeechHost['ask']>[0],
  signal: AbortSignal,
): Promise<Result<{ probabilities: Float32Array; memory: SpeechMemory }, SpeechFailure>> {
  let failures = 0
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const result = await host.ask(question, signal)
    if (result.ok) return result
    const { code, message } = result.failure
    if (code === 'speech_detector_failed') failures++
    if (code === 'aborted' || (code === 'speech_detector_failed' && failures === 2))
      return fail({ code, message })
    await pause(pauseMs, signal)
  }
}
