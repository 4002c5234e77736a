// A stretch of what is appended, heard as one stream: one after another, each from its first byte to where it is ended.
// What is said in it goes to whoever began it; which stretches there are is realtime-session.ts's.

import { createByteQueue } from '../../../../audio/byte-queue.ts'
import { createPcmStream } from '../../../../audio/pcm-stream.ts'
import type { DictationFailure } from '../../../../dictation/choose-model.ts'
import type { LiveEvent, LiveRequest, LiveStream } from '../../../../dictation/live-dictation.ts'
import { createNotifier } from '../../../../lib/notifier.ts'
import { fail, type Result, succeed } from '../../../../lib/result.ts'
import { nextTurn } from '../../../../lib/time-slice.ts'
import type { layoutOf } from './session-config.ts'

export type Listening = Pick<LiveRequest, 'signal' | 'onEvent'>

export type HearingRequest = {
  layout: ReturnType<typeof layoutOf>
  begin: (listening: Listening) => Promise<Result<LiveStream, DictationFailure>>
  onEvent: (event: LiveEvent) => void
  /** what is heard before */
  after: Promise<unknown>
}

export type StretchHearing = {
  /** copies them; whole samples */
  push(bytes: Uint8Array): void
  /** how much waits to be heard at all */
  heldMs(): number
  /** nothing more comes; what did is heard and told */
  finish(): void
  /** nothing of it is told any more */
  abandon(): void
  /** never before those that come before it */
  ended: Promise<Result<null, DictationFailure>>
}

const ABANDONED: DictationFailure = { code: 'aborted', message: 'Nobody wants to know any more.' }

export function createHearing({ layout, begin, onEvent, after }: HearingRequest): StretchHearing {
  const work = new AbortController()
  const held = createByteQueue()
  const bytesPerMs = (layout.rate * layout.bytes) / 1000
  /** whole samples */
  const sliceBytes = layout.rate * layout.bytes
  let isFinished = false
  const { notify, next } = createNotifier()

  const hasMore = async (): Promise<boolean> => {
    while (held.length() === 0 && !isFinished && !work.signal.aborted) await next()
    return held.length() > 0 && !work.signal.aborted
  }

  const hear = async (): Promise<Result<null, DictationFailure>> => {
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
    // A stream that fails ends before all was said.
    const ended = await stream.ended
    isFinished = true
    notify()
    await feeding
    return ended
  }

  /** A second at a time: an hour that is appended at once blocks no other client. */
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
    ended: hear(),
  }
}
