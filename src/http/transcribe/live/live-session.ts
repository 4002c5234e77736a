// What is said on one WS /transcribe/live: frames become samples, events become messages.
// How its socket opens and ends is live-socket.ts; what is heard is dictation/live-dictation.ts.

import { createPcmStream } from '../../../audio/pcm-stream.ts'
import type { DictationFailure } from '../../../dictation/choose-model.ts'
import type { LiveRequest, LiveStream } from '../../../dictation/live-dictation.ts'
import { type Result, succeed } from '../../../lib/result.ts'
import { problemOf } from '../../contract/failure.ts'
import type { Problem } from '../../contract/problem.ts'
import { CLOSED } from './close-codes.ts'
import type { Keeping } from './keeping.ts'
import { type LiveSocket, type LiveSocketOptions, openLiveSocket } from './live-socket.ts'
import { errorMessage, type LiveMessage, messageOf, readCommand, wrongAudio } from './messages.ts'

export type LiveSessionOptions = LiveSocketOptions & {
  begin: (listening: Pick<LiveRequest, 'signal' | 'onEvent'>) => Promise<Result<LiveStream, DictationFailure>>
  language: string | null
  /** of the samples, in Hz */
  rate: number
  /** whether finals tell the times of words */
  words: boolean
  /** where a capture is to become of it */
  keep?: ((onFailure: (problem: Problem) => void) => Keeping) | null
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
    const { language, rate } = options
    const tell = (message: LiveMessage) => send(message, message.type === 'partial')
    let isFirst = true
    /** whether the other side said that this was all */
    let isWhole = false

    const keeping = options.keep?.(refuse) ?? null
    const keep = async () => {
      const kept = await keeping?.finish({ interrupted: !isWhole })
      if (kept?.ok === false) refuse(problemOf(kept.failure))
      else if (kept?.value) tell({ type: 'kept', capture_id: kept.value })
    }

    const pcm = await createPcmStream({ rate }, (samples) => stream.push(samples))
    const begun = await options.begin({ signal, onEvent: (event) => tell(messageOf(event, options)) })
    if (!begun.ok) {
      pcm.finish()
      return begun
    }
    const stream = begun.value
    return succeed({
      greeting: () => [{ type: 'ready', model: stream.model, language, rate } satisfies LiveMessage],
      take(message) {
        if (typeof message === 'string') {
          const command = readCommand(message)
          if (!command.ok) return refuse(command.failure)
          isWhole = true
          return finish({ code: CLOSED.done, reason: '' })
        }
        const wrong = wrongAudio(message, { isFirst })
        isFirst = false
        if (wrong) return refuse(wrong)
        if (keeping?.push(message) === false) return finish(RECORDING_FULL)
        pcm.push(message)
      },
      takeLate: () => refuse(STREAM_ENDED),
      finish() {
        pcm.finish()
        stream.finish()
      },
      left(how) {
        isWhole ||= how === 'in order'
      },
      errorMessage,
      ended: stream.ended.finally(keep).finally(pcm.finish),
    })
  })
