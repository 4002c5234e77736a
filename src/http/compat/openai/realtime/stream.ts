// Transcribes one buffer of appended audio as a stream. Buffers run one after another.

import { createByteQueue } from '../../../../audio/byte-queue.ts'
import { createPcmStream } from '../../../../audio/pcm-stream.ts'
import type { DictationFailure } from '../../../../dictation/choose-model.ts'
import type { LiveEvent, LiveRequest, LiveStream } from '../../../../dictation/live-dictation.ts'
import { createNotifier } from '../../../../lib/notifier.ts'
import { fail, type Result, succeed } from '../../../../lib/result.ts'
import { nextTurn } from '../../../../lib/time-slice.ts'
import type { layoutOf } from './session-config.ts'

export type StreamListener = Pick<LiveRequest, 'signal' | 'onEvent'>

export type AudioStreamRequest = {
  layout: ReturnType<typeof layoutOf>
  begin: (listening: StreamListener) => Promise<Result<LiveStream, DictationFailure>>
  onEvent: (event: LiveEvent) => void
  /** the buffers before this one */
  after: Promise<unknown>
}

export type AudioStream = {
  /** copies the bytes, which must be whole samples */
  push(bytes: Uint8Array): void
  /** how much audio is queued and not passed to the stream yet */
  heldMs(): number
  /** ends the input; queued audio is still transcribed and reported */
  finish(): void
  /** discards the audio and reports nothing more */
  abandon(): void
  /** never resolves before the buffers before it */
  ended: Promise<Result<null, DictationFailure>>
}

const ABANDONED: DictationFailure = { code: 'aborted', message: 'The client no longer needs the result.' }

export function createAudioStream({ layout, begin, onEvent, after }: AudioStreamRequest): AudioStream {
  const work = new AbortController()
  const held = createByteQueue()
  const bytesPerMs = (layout.rate * layout.bytes) / 1000
  /** one second, in whole samples */
  const sliceBytes = layout.rate * layout.bytes
  let isFinished = false
  const { notify, next } = createNotifier()

  const hasMore = async (): Promise<boolean> => {
    while (held.length() === 0 && !isFinished && !work.signal.aborted) await next()
    return held.length() > 0 && !work.signal.aborted
  }

  const run = async (): Promise<Result<null, DictationFailure>> => {
    await after
    if (!(await hasMore())) return work.signal.aborted ? fail(ABANDONED) : succeed(null)
    const begun = await begin({ signal: work.signal, onEvent })
    if (!begun.ok) return begun
    const stream = begun.value
    const pcm = await createPcmStream(layout, (samples) => stream.push(samples))
    const feeding = feed(pcm.push).finally(() => {
      pcm.finish()
      stream.finish()
    })
    // A stream that fails ends before all audio has been passed to it.
    const ended = await stream.ended
    isFinished = true
    notify()
    await feeding
    return ended
  }

  /** Passes one second at a time, so that an hour appended at once does not block other clients. */
  const feed = async (push: (bytes: Uint8Array) => void) => {
    while (await hasMore()) {
      push(held.take(sliceBytes))
      if (held.length() > 0) await nextTurn()
    }
  }

  return {
    push(bytes) {
      if (isFinished || bytes.length === 0) return
      const isAwaited = held.length() === 0
      held.push(bytes)
      if (isAwaited) notify()
    },
    heldMs: () => held.length() / bytesPerMs,
    finish() {
      isFinished = true
      notify()
    },
    abandon() {
      work.abort()
      notify()
    },
    ended: run(),
  }
}
