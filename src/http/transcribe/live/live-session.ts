// What is said on one WS /transcribe/live: frames become samples (live-intake.ts), events become
// messages. How its socket opens and ends is live-socket.ts; what is heard is dictation/live-dictation.ts.

import type { DictationFailure } from '../../../dictation/choose-model.ts'
import type { LiveRequest, LiveStream } from '../../../dictation/live-dictation.ts'
import { type Result, succeed } from '../../../lib/result.ts'
import { problemOf } from '../../contract/failure.ts'
import type { Problem } from '../../contract/problem.ts'
import { internalError } from '../../server/errors.ts'
import { CLOSED } from './close-codes.ts'
import { createLiveIntake, type LiveEncoding } from './live-intake.ts'
import { type LiveSocket, type LiveSocketOptions, openLiveSocket } from './live-socket.ts'
import { errorMessage, type LiveMessage, messageOf, readCommand } from './messages.ts'
import type { LiveSave } from './save-live.ts'

export type LiveSessionOptions = LiveSocketOptions & {
  begin: (listening: Pick<LiveRequest, 'signal' | 'onEvent'>) => Promise<Result<LiveStream, DictationFailure>>
  language: string | null
  /** null is told by the first bytes */
  encoding: LiveEncoding | null
  /** of samples that are sent as they are, in Hz */
  rate: number
  /** whether finals tell the times of words */
  words: boolean
  /** where a capture is to become of it */
  keep?: ((encoding: LiveEncoding, onFailure: (problem: Problem) => void) => LiveSave) | null
}

const STREAM_ENDED: Problem = {
  code: 'stream_ended',
  detail: 'Nothing can follow {"type":"stop"}: open another socket for what comes next.',
}
const RECORDING_FULL: Problem = {
  code: 'file_too_large',
  detail: 'The recording is as large as one may be; what was sent before is kept.',
}

/** Failures are those of the model: nothing is heard yet. */
export const openLiveSession = (options: LiveSessionOptions): Promise<Result<LiveSocket, DictationFailure>> =>
  openLiveSocket(options, async ({ send, refuse, finish, signal }) => {
    const { language, rate, encoding } = options
    const tell = (message: LiveMessage) => send(message, message.type === 'partial')
    /** whether the other side said that this was all */
    let isWhole = false

    let keeping: LiveSave | null = null
    let kept: ReturnType<LiveSave['finish']> | null = null
    /** As soon as no more audio comes: a crash while the text is written must not find a recording without its fields. */
    const keep = async () => {
      kept ??= keeping?.finish({ interrupted: !isWhole }) ?? null
      return kept
    }
    const tellKept = async () => {
      const made = await keep()
      if (made?.ok === false) refuse(problemOf(made.failure))
      else if (made?.value) tell({ type: 'kept', capture_id: made.value })
    }

    const intake = await createLiveIntake({
      encoding,
      rate,
      signal,
      onBytes(bytes, known) {
        keeping ??= options.keep?.(known, finish) ?? null
        const isKept = keeping?.push(bytes) !== false
        if (!isKept) finish(RECORDING_FULL)
        return isKept
      },
      onSamples: (samples) => stream.push(samples),
      onEnd(problem) {
        if (problem) finish(problem)
        // What it throws is reported when the text is done.
        keep().catch(() => {})
        stream.finish()
      },
      onBreak: (error) => refuse(internalError(error, options.log)),
    })
    const begun = await options.begin({ signal, onEvent: (event) => tell(messageOf(event, options)) })
    if (!begun.ok) {
      intake.free()
      return begun
    }
    const stream = begun.value
    return succeed({
      greeting: () => [{ type: 'ready', model: stream.model, language, rate } satisfies LiveMessage],
      take(message) {
        if (typeof message === 'string') {
          const command = readCommand(message)
          if (!command.ok) return finish(command.failure)
          isWhole = true
          return finish({ code: CLOSED.done, reason: '' })
        }
        const wrong = intake.push(message)
        // What was said before is still transcribed.
        if (wrong) finish(wrong)
      },
      takeLate: () => finish(STREAM_ENDED),
      finish: intake.finish,
      left(how) {
        isWhole ||= how === 'in order'
        keep().catch(() => {})
      },
      errorMessage,
      ended: stream.ended.finally(tellKept).finally(intake.free),
    })
  })
