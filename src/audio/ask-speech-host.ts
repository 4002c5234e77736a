// A question to the speech detector's process, asked again where the process ended before it was answered.
// What is asked is speech-detector.ts; the process and whom its end is charged to is speech-host.ts.

import { pause } from '../lib/persist.ts'
import { fail, type Result } from '../lib/result.ts'
import type { SpeechHost, SpeechHostFailure } from './speech-host.ts'
import type { SpeechMemory } from './speech-messages.ts'

/** `speech_detector_failed` comes after a second attempt with a fresh process; trying again later may succeed. */
export type SpeechFailure = { code: Exclude<SpeechHostFailure['code'], 'interrupted'>; message: string }

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5000

/**
 * The process keeps nothing between questions, so a fresh one can take over when it dies: once where it died of this
 * question, and as often as need be where it died of another. Each death is charged to one question at least, or to none
 * so often in a row as it may fail to load.
 */
export async function askUntilHeard(
  host: SpeechHost,
  question: Parameters<SpeechHost['ask']>[0],
  signal: AbortSignal,
): Promise<Result<{ probabilities: Float32Array; memory: SpeechMemory }, SpeechFailure>> {
  let failures = 0
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const heard = await host.ask(question, signal)
    if (heard.ok) return heard
    const { code, message } = heard.failure
    if (code === 'speech_detector_failed') failures++
    if (code === 'aborted' || (code === 'speech_detector_failed' && failures === 2))
      return fail({ code, message })
    await pause(pauseMs, signal)
  }
}
