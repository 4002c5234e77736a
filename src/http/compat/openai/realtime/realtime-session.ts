// One session of OpenAI's realtime API: turns appended audio into items, by pauses in speech or on the client's commit.

import { createWholeSamples } from '../../../../audio/pcm.ts'
import type { DictationFailure } from '../../../../dictation/choose-model.ts'
import type { LiveStream } from '../../../../dictation/live-dictation.ts'
import type { Log } from '../../../../lib/log.ts'
import { type Result, succeed } from '../../../../lib/result.ts'
import { createPause } from '../../../../lib/time-slice.ts'
import { type Problem, problemOf } from '../../../kernel/problem.ts'
import { internalError } from '../../../server/router.ts'
import type { LiveChannel, LiveProtocol } from '../../../transcribe/live/live-socket.ts'
import { fileInPlaceOfSamples } from '../../../transcribe/live/messages.ts'
import { createInputAudioBuffer, type InputAudioBuffer, type StreamListener } from './audio-buffer.ts'
import { createConversation, createItem, type Item } from './conversation.ts'
import {
  BUFFER_CLEARED,
  type ClientEvent,
  createId,
  type EventFault,
  errorEvent,
  readEvent,
  sessionEvent,
} from './events.ts'
import { changedConfig, layoutOf, type SessionConfig, type SessionUpdate } from './session-config.ts'

export type RealtimeOptions = {
  config: SessionConfig
  /** the client used the handshake of the API's first version */
  isOlder: boolean
  /** why audio cannot be transcribed with this configuration; null if it can */
  check: (config: SessionConfig) => Promise<Problem | null>
  begin: (config: SessionConfig, listening: StreamListener) => Promise<Result<LiveStream, DictationFailure>>
  log: Log
}

/** OpenAI's limit. */
const MIN_COMMITTED_MS = 100
const COMMIT_EMPTY = 'input_audio_buffer_commit_empty'

/** Limit for queued audio, the same as in a live stream. */
const MAX_HELD_MS = 600_000
const TOO_FAR_BEHIND: Problem = {
  code: 'too_far_behind',
  detail:
    'Ten minutes of audio are waiting to be transcribed. Wait for the committed audio before you append more.',
}
/** Every waiting buffer needs memory, however short it is. */
const MAX_BUFFERS = 256
const TOO_MANY_BUFFERS: Problem = {
  code: 'too_far_behind',
  detail: `${MAX_BUFFERS} pieces of audio are waiting to be transcribed. This event had no effect; send it again when one of them is completed.`,
}
/** Limit for events that wait for earlier ones. Ten minutes of audio in pieces of 20 ms are 30,000 events. */
const MAX_WAITING = { events: 200_000, characters: 64 * 1024 ** 2 }
const TOO_MANY_EVENTS: Problem = {
  code: 'too_far_behind',
  detail: 'Events arrive faster than the server can process them. Wait for its responses.',
}
/** After these failures, nothing more can be transcribed. */
const FATAL = ['too_far_behind', 'engine_closed', 'shutting_down']

export function createRealtimeProtocol(channel: LiveChannel, options: RealtimeOptions): LiveProtocol {
  const { check, begin, log } = options
  const id = createId('sess')
  const over = Promise.withResolvers<Result<null, DictationFailure>>()
  let { config } = options
  /** an append may end inside a sample, which continues in the next append */
  let wholeSamples = createWholeSamples(layoutOf(config.format).bytes)
  /** the buffers that have not ended, in order */
  let buffers: InputAudioBuffer[] = []
  /** the buffer that receives appended audio */
  let current: InputAudioBuffer | null = null
  /** an item that continues in the next buffer */
  let carried: Item | null = null
  let appendedMs = 0
  /** audio before this time is committed or cleared */
  let committedMs = 0
  let isFirst = true
  let isEnding = false
  let doing = Promise.resolve()
  const waiting = { events: 0, characters: 0 }
  const pause = createPause()

  const conversation = createConversation({
    send: channel.send,
    isOlder: options.isOlder,
    includes: (what) => config.include.includes(what),
  })
  const { emit } = conversation
  const refuse = ({ problem, ...fault }: EventFault) => emit(errorEvent(problem, fault))

  const beginBuffer = (): InputAudioBuffer => {
    const current = config
    const collects = current.turnDetection === null ? (carried ?? createItem()) : null
    const buffer: InputAudioBuffer = createInputAudioBuffer({
      conversation,
      layout: layoutOf(current.format),
      begin: (listening) => begin(current, listening),
      // A buffer ends after all buffers before it, so waiting for the last one is enough.
      after: Promise.allSettled([buffers.at(-1)?.ended]),
      fromMs: appendedMs,
      collects,
      onCommitted: (atMs) => {
        committedMs = Math.max(committedMs, atMs)
      },
      log,
    })
    carried = null
    buffers.push(buffer)
    buffer.ended.then(
      (ended) => settle(buffer, ended),
      (error) => channel.refuse(internalError(error, log)),
    )
    return buffer
  }

  const settle = (buffer: InputAudioBuffer, ended: Result<null, DictationFailure>) => {
    buffers = buffers.filter((one) => one !== buffer)
    if (current === buffer) {
      current = null
      committedMs = appendedMs
    }
    if (!ended.ok) failItems(buffer, ended.failure)
    const item = buffer.collected()
    if (item?.state === 'committed' && !isAwaited(item)) conversation.conclude(item)
    endIfDone()
  }

  const isAwaited = (item: Item) => buffers.some((one) => one.collected() === item)

  const failItems = (buffer: InputAudioBuffer, failure: DictationFailure) => {
    if (failure.code === 'aborted') return
    const problem = problemOf(failure)
    log.warn({ code: problem.code }, 'could not transcribe audio of a realtime session')
    const items = buffer.openItems()
    for (const item of items) {
      if (isAwaited(item) || item === carried) item.problem ??= problem
      else conversation.fail(item, problem)
    }
    if (FATAL.includes(failure.code)) channel.refuse(problem)
    else if (items.length === 0) emit(errorEvent(problem))
  }

  const endIfDone = () => {
    if (isEnding && buffers.length === 0) over.resolve(succeed(null))
  }

  const append = (audio: Uint8Array): Problem | null => {
    const layout = layoutOf(config.format)
    const isFile = isFirst ? fileInPlaceOfSamples(audio) : null
    if (isFile) return isFile
    isFirst = false
    if (buffers.reduce((sum, one) => sum + one.heldMs(), 0) > MAX_HELD_MS) {
      channel.refuse(TOO_FAR_BEHIND)
      return null
    }
    if (current === null && isFull()) return TOO_MANY_BUFFERS
    const samples = wholeSamples(audio)
    current ??= beginBuffer()
    current.push(samples)
    appendedMs += (samples.length / layout.bytes / layout.rate) * 1000
    return null
  }

  const uncommittedMs = () => appendedMs - committedMs

  const isFull = () => buffers.length >= MAX_BUFFERS

  const emptyBuffer = () => {
    current = null
    carried = null
    committedMs = appendedMs
  }

  const commit = () => {
    const isSpeaking = current !== null && current.collected() === null && current.openItems().some(isOpen)
    const item = current?.collect() ?? carried ?? createItem()
    item.bufferMs = uncommittedMs()
    if (isSpeaking) conversation.stopped(item, appendedMs)
    conversation.commit(item)
    current?.finish()
    emptyBuffer()
    if (!isAwaited(item)) conversation.conclude(item)
  }

  const clear = () => {
    const dropped = buffers.filter((one) => one === current || one.collected()?.state === 'open')
    for (const buffer of dropped) buffer.drop()
    emptyBuffer()
    wholeSamples = createWholeSamples(layoutOf(config.format).bytes)
    emit(BUFFER_CLEARED)
  }

  /** Audio that was appended earlier is transcribed with the earlier configuration. */
  const change = async (update: SessionUpdate): Promise<Problem | null> => {
    const changed = changedConfig(config, update)
    const wrong = await check(changed)
    if (wrong) return wrong
    const isHeardOtherwise = Bun.deepEquals({ ...config, include: [] }, { ...changed, include: [] }) === false
    if (isHeardOtherwise && current !== null && isFull()) return TOO_MANY_BUFFERS
    if (!Bun.deepEquals(config.format, changed.format))
      wholeSamples = createWholeSamples(layoutOf(changed.format).bytes)
    config = changed
    if (!isHeardOtherwise) return null
    if (current === null && carried === null) return null
    if (
      config.turnDetection !== null &&
      uncommittedMs() >= MIN_COMMITTED_MS &&
      (carried ?? current?.collected())
    ) {
      commit()
      return null
    }
    carried = current?.collected() ?? carried
    current?.finish()
    current = null
    if (carried === null) committedMs = appendedMs
    return null
  }

  const act = async (event: ClientEvent): Promise<Omit<EventFault, 'eventId'> | null> => {
    switch (event.kind) {
      case 'append': {
        const problem = append(event.audio)
        return problem && { problem }
      }
      case 'commit':
        if (uncommittedMs() < MIN_COMMITTED_MS)
          return { problem: tooSmall(uncommittedMs()), code: COMMIT_EMPTY }
        if (isFull()) return { problem: TOO_MANY_BUFFERS }
        commit()
        return null
      case 'clear':
        clear()
        return null
      case 'update': {
        const problem = await change(event.requested)
        if (problem) return { problem }
        if (event.shape === 'older') conversation.becomeOlder()
        emit(sessionEvent('updated', { id, config, isOlder: event.shape === 'older' }))
        return null
      }
    }
  }

  /** Processes events in the order of arrival, although resolving a model takes time. */
  const inTurn = (work: () => Promise<void> | void, characters = 0) => {
    waiting.events++
    waiting.characters += characters
    if (waiting.events > MAX_WAITING.events || waiting.characters > MAX_WAITING.characters)
      return channel.refuse(TOO_MANY_EVENTS)
    doing = doNext(doing, work, characters)
  }

  /** Processes a flood of small events in slices, so that other clients are served in between. */
  const doNext = async (before: Promise<void>, work: () => Promise<void> | void, characters: number) => {
    await before
    try {
      await pause()
      await work()
    } catch (error) {
      channel.refuse(internalError(error, log))
    }
    waiting.events--
    waiting.characters -= characters
  }

  const end = () => {
    isEnding = true
    endIfDone()
  }
  const abandon = () => {
    channel.signal.removeEventListener('abort', abandon)
    for (const buffer of buffers) buffer.abandon()
    end()
  }
  channel.signal.addEventListener('abort', abandon)

  return {
    greeting: () => [sessionEvent('created', { id, config, isOlder: conversation.isOlder() })].map(withId),
    take(message) {
      const text = typeof message === 'string' ? message : null
      inTurn(async () => {
        if (channel.signal.aborted) return
        const read = readEvent(text)
        if (!read.ok) return refuse(read.failure)
        const { eventId, event } = read.value
        const fault = await act(event)
        if (fault) refuse({ eventId, ...fault })
      }, message.length)
    },
    finish: () =>
      inTurn(() => {
        if (uncommittedMs() >= MIN_COMMITTED_MS && (carried ?? current?.collected())) commit()
        else current?.finish()
        end()
      }),
    errorMessage: (problem) => withId(errorEvent(problem)),
    ended: over.promise,
  }
}

const withId = (event: object) => ({ event_id: createId('event'), ...event })

const isOpen = ({ state }: Item) => state === 'open'

const tooSmall = (ms: number): Problem => ({
  code: 'invalid_request',
  detail: `The buffer holds ${ms.toFixed(2)} ms of audio; a commit needs at least ${MIN_COMMITTED_MS} ms.`,
})
