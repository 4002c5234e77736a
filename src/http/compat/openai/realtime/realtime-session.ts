// One session of OpenAI's realtime API: what is appended becomes items, by the pauses of who speaks or at his word.
// What an event may be is client-events.ts and server-events.ts; what is heard, stretch.ts; the socket, live-socket.ts.

import { createWholeSamples } from '../../../../audio/whole-samples.ts'
import type { DictationFailure } from '../../../../dictation/choose-model.ts'
import type { LiveStream } from '../../../../dictation/live-dictation.ts'
import type { Log } from '../../../../lib/log.ts'
import { type Result, succeed } from '../../../../lib/result.ts'
import { createPause } from '../../../../lib/time-slice.ts'
import { problemOf } from '../../../contract/failure.ts'
import type { Problem } from '../../../contract/problem.ts'
import { internalError } from '../../../server/errors.ts'
import type { LiveLine, LiveTalk } from '../../../transcribe/live/live-socket.ts'
import { fileInPlaceOfSamples } from '../../../transcribe/live/messages.ts'
import { type ClientEvent, type EventFault, readEvent } from './client-events.ts'
import { createConversation } from './conversation.ts'
import type { Listening } from './hearing.ts'
import { createItem, type Item } from './item.ts'
import { BUFFER_CLEARED, createId, errorEvent, sessionEvent } from './server-events.ts'
import { type AskedSession, changedConfig, layoutOf, type SessionConfig } from './session-config.ts'
import { createStretch, type Stretch } from './stretch.ts'

export type RealtimeOptions = {
  config: SessionConfig
  /** the handshake is of the API's first version */
  isOlder: boolean
  /** what keeps audio from being heard so */
  check: (config: SessionConfig) => Promise<Problem | null>
  begin: (config: SessionConfig, listening: Listening) => Promise<Result<LiveStream, DictationFailure>>
  log: Log
}

/** OpenAI's. */
const LEAST_COMMITTED_MS = 100
const COMMIT_EMPTY = 'input_audio_buffer_commit_empty'

/** As in one stream: what waits to be heard at all. */
const MOST_HELD_MS = 600_000
const TOO_FAR_BEHIND: Problem = {
  code: 'too_far_behind',
  detail: 'Ten minutes of audio wait to be heard; wait for what was committed before more is appended.',
}
/** Each stretch that waits costs memory, however short it is. */
const MOST_STRETCHES = 256
const TOO_MANY_STRETCHES: Problem = {
  code: 'too_far_behind',
  detail: `${MOST_STRETCHES} pieces of audio wait to be transcribed. This event changed nothing; send it again when one of them is completed.`,
}
/** What arrives while the server acts on earlier events; ten minutes at once, in pieces of 20 ms, are 30,000. */
const MOST_WAITING = { events: 200_000, characters: 64 * 1024 ** 2 }
const TOO_MANY_EVENTS: Problem = {
  code: 'too_far_behind',
  detail: 'Events arrive faster than the server can act on them; wait for its answers.',
}
/** After these nothing more can be heard. */
const FATAL = ['too_far_behind', 'engine_closed', 'shutting_down']

export function createRealtimeTalk(line: LiveLine, options: RealtimeOptions): LiveTalk {
  const { check, begin, log } = options
  const id = createId('sess')
  const over = Promise.withResolvers<Result<null, DictationFailure>>()
  let { config } = options
  /** a sample that an append is cut in goes on in the next */
  let wholeSamples = createWholeSamples(layoutOf(config.format).bytes)
  /** those that are not over, in their order */
  let stretches: Stretch[] = []
  /** the one that audio is appended to */
  let current: Stretch | null = null
  /** an item that goes on in the next stretch */
  let carried: Item | null = null
  let appendedMs = 0
  /** what was before is no more in the buffer */
  let committedMs = 0
  let isFirst = true
  let isEnding = false
  let doing = Promise.resolve()
  const waiting = { events: 0, characters: 0 }
  const pause = createPause()

  const conversation = createConversation({
    send: line.send,
    isOlder: options.isOlder,
    includes: (what) => config.include.includes(what),
  })
  const { tell } = conversation
  const refuse = ({ problem, ...fault }: EventFault) => tell(errorEvent(problem, fault))

  const beginStretch = (): Stretch => {
    const asked = config
    const collects = asked.turnDetection === null ? (carried ?? createItem()) : null
    const stretch: Stretch = createStretch({
      conversation,
      layout: layoutOf(asked.format),
      begin: (listening) => begin(asked, listening),
      // A stretch ends after all before it, so the last one stands for them all.
      after: Promise.allSettled([stretches.at(-1)?.ended]),
      fromMs: appendedMs,
      collects,
      onCommitted: (atMs) => {
        committedMs = Math.max(committedMs, atMs)
      },
      log,
    })
    carried = null
    stretches.push(stretch)
    stretch.ended.then(
      (ended) => settle(stretch, ended),
      (error) => line.refuse(internalError(error, log)),
    )
    return stretch
  }

  const settle = (stretch: Stretch, ended: Result<null, DictationFailure>) => {
    stretches = stretches.filter((one) => one !== stretch)
    if (current === stretch) {
      current = null
      committedMs = appendedMs
    }
    if (!ended.ok) failItems(stretch, ended.failure)
    const item = stretch.collected()
    if (item?.state === 'committed' && !isAwaited(item)) conversation.conclude(item)
    endIfDone()
  }

  const isAwaited = (item: Item) => stretches.some((one) => one.collected() === item)

  const failItems = (stretch: Stretch, failure: DictationFailure) => {
    if (failure.code === 'aborted') return
    const problem = problemOf(failure)
    log.warn({ code: problem.code }, 'audio of a realtime session could not be heard')
    const items = stretch.openItems()
    for (const item of items) {
      if (isAwaited(item) || item === carried) item.problem ??= problem
      else conversation.fail(item, problem)
    }
    if (FATAL.includes(failure.code)) line.refuse(problem)
    else if (items.length === 0) tell(errorEvent(problem))
  }

  const endIfDone = () => {
    if (isEnding && stretches.length === 0) over.resolve(succeed(null))
  }

  const append = (audio: Uint8Array): Problem | null => {
    const layout = layoutOf(config.format)
    const isFile = isFirst ? fileInPlaceOfSamples(audio) : null
    if (isFile) return isFile
    isFirst = false
    if (stretches.reduce((sum, one) => sum + one.heldMs(), 0) > MOST_HELD_MS) {
      line.refuse(TOO_FAR_BEHIND)
      return null
    }
    if (current === null && isFull()) return TOO_MANY_STRETCHES
    const samples = wholeSamples(audio)
    current ??= beginStretch()
    current.push(samples)
    appendedMs += (samples.length / layout.bytes / layout.rate) * 1000
    return null
  }

  const bufferMs = () => appendedMs - committedMs

  const isFull = () => stretches.length >= MOST_STRETCHES

  const emptyBuffer = () => {
    current = null
    carried = null
    committedMs = appendedMs
  }

  const commit = () => {
    const isSpeaking = current !== null && current.collected() === null && current.openItems().some(isOpen)
    const item = current?.collect() ?? carried ?? createItem()
    item.bufferMs = bufferMs()
    if (isSpeaking) conversation.stopped(item, appendedMs)
    conversation.commit(item)
    current?.finish()
    emptyBuffer()
    if (!isAwaited(item)) conversation.conclude(item)
  }

  const clear = () => {
    const dropped = stretches.filter((one) => one === current || one.collected()?.state === 'open')
    for (const stretch of dropped) stretch.drop()
    emptyBuffer()
    wholeSamples = createWholeSamples(layoutOf(config.format).bytes)
    tell(BUFFER_CLEARED)
  }

  /** What was appended before is heard as it was asked for then. */
  const change = async (asked: AskedSession): Promise<Problem | null> => {
    const changed = changedConfig(config, asked)
    const wrong = await check(changed)
    if (wrong) return wrong
    const isHeardOtherwise = Bun.deepEquals({ ...config, include: [] }, { ...changed, include: [] }) === false
    if (isHeardOtherwise && current !== null && isFull()) return TOO_MANY_STRETCHES
    if (!Bun.deepEquals(config.format, changed.format))
      wholeSamples = createWholeSamples(layoutOf(changed.format).bytes)
    config = changed
    if (!isHeardOtherwise) return null
    if (current === null && carried === null) return null
    if (
      config.turnDetection !== null &&
      bufferMs() >= LEAST_COMMITTED_MS &&
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
        if (bufferMs() < LEAST_COMMITTED_MS) return { problem: tooSmall(bufferMs()), code: COMMIT_EMPTY }
        if (isFull()) return { problem: TOO_MANY_STRETCHES }
        commit()
        return null
      case 'clear':
        clear()
        return null
      case 'update': {
        const problem = await change(event.asked)
        if (problem) return { problem }
        if (event.shape === 'older') conversation.becomeOlder()
        tell(sessionEvent('updated', { id, config, isOlder: event.shape === 'older' }))
        return null
      }
    }
  }

  /** In the order in which they came, though looking for a model takes a while. */
  const inTurn = (work: () => Promise<void> | void, characters = 0) => {
    waiting.events++
    waiting.characters += characters
    if (waiting.events > MOST_WAITING.events || waiting.characters > MOST_WAITING.characters)
      return line.refuse(TOO_MANY_EVENTS)
    doing = doNext(doing, work, characters)
  }

  /** A flood of small events is acted on in slices, between which other clients are served. */
  const doNext = async (before: Promise<void>, work: () => Promise<void> | void, characters: number) => {
    await before
    try {
      await pause()
      await work()
    } catch (error) {
      line.refuse(internalError(error, log))
    }
    waiting.events--
    waiting.characters -= characters
  }

  const end = () => {
    isEnding = true
    endIfDone()
  }
  const abandon = () => {
    line.signal.removeEventListener('abort', abandon)
    for (const stretch of stretches) stretch.abandon()
    end()
  }
  line.signal.addEventListener('abort', abandon)

  return {
    greeting: () => [sessionEvent('created', { id, config, isOlder: conversation.isOlder() })].map(withId),
    take(message) {
      const text = typeof message === 'string' ? message : null
      inTurn(async () => {
        if (line.signal.aborted) return
        const read = readEvent(text)
        if (!read.ok) return refuse(read.failure)
        const { eventId, event } = read.value
        const fault = await act(event)
        if (fault) refuse({ eventId, ...fault })
      }, message.length)
    },
    finish: () =>
      inTurn(() => {
        if (bufferMs() >= LEAST_COMMITTED_MS && (carried ?? current?.collected())) commit()
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
  detail: `The buffer holds ${ms.toFixed(2)} ms of audio; at least ${LEAST_COMMITTED_MS} ms can be committed.`,
})
