// The protocol of WS /transcribe/live: converts frames to samples and events to messages.

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
  /** null: detected from the first bytes */
  encoding: LiveEncoding | null
  /** sample rate of raw samples, in Hz */
  rate: number
  /** whether finals include the times of words */
  words: boolean
  /** saves the stream as a capture; null or absent if it should not be saved */
  keep?: ((encoding: LiveEncoding, onFailure: (problem: Problem) => void) => LiveSave) | null
}

const STREAM_ENDED: Problem = {
  code: 'stream_ended',
  detail: 'No frames are accepted after {"type":"stop"}. Open another socket to continue.',
}
const RECORDING_FULL: Problem = {
  code: 'file_too_large',
  detail: 'The recording has reached the size limit. The audio sent before is stored.',
}

/** Fails only if the model is unavailable; nothing has been transcribed yet. */
export const openLiveSession = (options: LiveSessionOptions): Promise<Result<LiveSocket, DictationFailure>> =>
  openLiveSocket(options, async ({ send, refuse, finish, signal }) => {
    const { language, rate, encoding } = options
    const emit = (message: LiveMessage) => send(message, message.type === 'partial')
    /** whether the client ended the stream properly */
    let isWhole = false

    let saver: LiveSave | null = null
    let saved: ReturnType<LiveSave['finish']> | null = null
    /** Called as soon as the audio ends: a crash during transcription must not leave a recording without its fields. */
    const keep = async () => {
      saved ??= saver?.finish({ interrupted: !isWhole }) ?? null
      return saved
    }
    const emitKept = async () => {
      const made = await keep()
      if (made?.ok === false) refuse(problemOf(made.failure))
      else if (made?.value) emit({ type: 'kept', capture_id: made.value })
    }

    const intake = await createLiveIntake({
      encoding,
      rate,
      signal,
      onBytes(bytes, known) {
        saver ??= options.keep?.(known, finish) ?? null
        const isKept = saver?.push(bytes) !== false
        if (!isKept) finish(RECORDING_FULL)
        return isKept
      },
      onSamples: (samples) => stream.push(samples),
      onEnd(problem) {
        if (problem) finish(problem)
        // `emitKept` reports the error when the transcription is done.
        keep().catch(() => {})
        stream.finish()
      },
      onBreak: (error) => refuse(internalError(error, options.log)),
    })
    const begun = await options.begin({ signal, onEvent: (event) => emit(messageOf(event, options)) })
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
        // The audio before it is still transcribed.
        if (wrong) finish(wrong)
      },
      takeLate: () => finish(STREAM_ENDED),
      finish: intake.finish,
      left(how) {
        isWhole ||= how === 'in order'
        keep().catch(() => {})
      },
      errorMessage,
      ended: stream.ended.finally(emitKept).finally(intake.free),
    })
  })
