// A buffer of session audio with the same settings, and its items: one per utterance, or one for all without turn detection.

import { createByteQueue } from '../../../../audio/byte-queue.ts'
import { createPcmStream } from '../../../../audio/pcm-stream.ts'
import type { DictationFailure } from '../../../../dictation/choose-model.ts'
import type { LiveEvent, LiveRequest, LiveStream } from '../../../../dictation/live-dictation.ts'
import type { Log } from '../../../../lib/log.ts'
import { createNotifier } from '../../../../lib/notifier.ts'
import { fail, type Result, succeed } from '../../../../lib/result.ts'
import { nextTurn } from '../../../../lib/time-slice.ts'
import { type Conversation, createItem, type Item } from './conversation.ts'
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

function createAudioStream({ layout, begin, onEvent, after }: AudioStreamRequest): AudioStream {
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

export type InputAudioBuffer = Pick<AudioStream, 'push' | 'heldMs' | 'finish' | 'ended'> & {
  /** the item that collects all utterances; null if each utterance has its own */
  collected(): Item | null
  /** collects everything from here on in one item, including the current utterance */
  collect(): Item
  /** items that are already committed are still reported; everything else is discarded */
  drop(): void
  /** discards everything immediately */
  abandon(): void
  /** the items with events still to come, without dropped ones */
  openItems(): Item[]
}

type Options = Omit<AudioStreamRequest, 'onEvent'> & {
  conversation: Conversation
  /** its start in the session */
  fromMs: number
  /** collects all utterances */
  collects: Item | null
  /** an utterance became an item that ends at this time */
  onCommitted: (atMs: number) => void
  log: Log
}

/** Together with its number, it identifies an utterance within a session. */
let count = 0

export function createInputAudioBuffer(options: Options): InputAudioBuffer {
  const { conversation, fromMs, onCommitted, log } = options
  const own = ++count
  const items = new Map<number, Item>()
  let { collects } = options
  let speaking: number | null = null
  let isDropped = false

  const itemOf = (utterance: number): Item => {
    const item = items.get(utterance) ?? collects ?? createItem()
    items.set(utterance, item)
    return item
  }
  const isReported = (item: Item) => item.state === 'committed' || (item.state === 'open' && !isDropped)
  const openItems = () =>
    [...new Set([...items.values(), ...(collects ? [collects] : [])])].filter(isReported)

  const handle = (event: LiveEvent) => {
    if (event.kind === 'warning') return log.info({ code: event.code }, event.message)
    const item = itemOf(event.utterance)
    if (!isReported(item)) return
    const utterance = `${own}:${event.utterance}`
    const isAlone = item !== collects
    switch (event.kind) {
      case 'speech_started':
        speaking = event.utterance
        if (isAlone) conversation.started(item, fromMs + event.atMs)
        return
      case 'speech_stopped':
        speaking = null
        if (!isAlone) return
        conversation.stopped(item, fromMs + event.atMs)
        conversation.commit(item)
        return onCommitted(fromMs + event.atMs)
      case 'confirmed':
        return conversation.confirm(item, utterance, event.text)
      case 'partial':
        return conversation.showPartial(item, event.text)
      case 'final':
        conversation.write(item, utterance, event)
        if (isAlone) {
          conversation.conclude(item)
          // Completed items are removed, so that a session that is open all day does not grow.
          items.delete(event.utterance)
        }
        if (isDropped) abandonIfTold()
    }
  }

  const stream = createAudioStream({ ...options, onEvent: handle })
  const abandonIfTold = () => {
    if (openItems().length === 0) stream.abandon()
  }
  return {
    push: stream.push,
    heldMs: stream.heldMs,
    finish: stream.finish,
    abandon: stream.abandon,
    ended: stream.ended as Promise<Result<null, DictationFailure>>,
    collected: () => collects,
    collect() {
      collects ??= (speaking === null ? undefined : items.get(speaking)) ?? createItem()
      return collects
    },
    drop() {
      isDropped = true
      abandonIfTold()
    },
    openItems,
  }
}
