// One connection of the Wyoming protocol: describes the server, and transcribes one stream of audio after another.

import { Type } from '@sinclair/typebox'
import type { DictationFailure } from '../dictation/choose-model.ts'
import { languageField, modelField } from '../http/fields/fields.ts'
import type { SocketListener } from '../http/kernel/connection.ts'
import { createChecker } from '../http/kernel/input.ts'
import { invalidRequest, type Problem } from '../http/kernel/problem.ts'
import { openObject } from '../http/kernel/schema.ts'
import { internalError } from '../http/server/router.ts'
import { SESSIONS_FULL } from '../http/transcribe/live/live.ts'
import type { LiveSessions } from '../http/transcribe/live/live-session.ts'
import { type LiveChannel, type LiveProtocol, openLiveSocket } from '../http/transcribe/live/live-socket.ts'
import { type Result, succeed } from '../lib/result.ts'
import { createPause } from '../lib/time-slice.ts'
import { createFrameReader, encodeEvent, type SentEvent, type WyomingEvent } from './wyoming-frames.ts'
import { type WyomingInfoDeps, wyomingInfo } from './wyoming-info.ts'
import {
  openWyomingStream,
  readLayout,
  type WyomingRequest,
  type WyomingStream,
  type WyomingStreamDeps,
} from './wyoming-stream.ts'

export type WyomingDeps = WyomingStreamDeps &
  WyomingInfoDeps & {
    liveSessions: LiveSessions
    /** fires when the server stops: the connection sends its remaining text and closes */
    shutdown: AbortSignal
  }

export type WyomingSession = SocketListener & {
  /** resolves when everything received was processed; until then, the connection should not be read */
  settled(): Promise<void>
}

/** Null if the server is stopping. */
export async function openWyomingSession(deps: WyomingDeps): Promise<WyomingSession | null> {
  const { shutdown, log } = deps
  if (shutdown.aborted) return null
  let settled = async () => {}
  const opened = await openLiveSocket(
    { shutdown, log, encode: (event) => encodeEvent(event as SentEvent), onOver() {} },
    async (channel) => {
      const protocol = createWyomingProtocol(channel, deps)
      settled = protocol.settled
      return succeed(protocol)
    },
  )
  if (!opened.ok) throw new Error(opened.failure.message)
  return { ...opened.value.listener, settled: () => settled() }
}

const NO_REQUEST: WyomingRequest = { model: null, language: undefined, keywords: [] }

/** As in the other routes. Longer terms are no names, and more of them do not fit into Whisper's prompt anyway. */
const MAX_KEYWORDS = 500
const LONGEST_KEYWORD = 200

const checkTranscribe = createChecker(
  openObject({
    name: Type.Optional(modelField),
    language: Type.Optional(languageField),
    transcript_names: Type.Optional(Type.Array(Type.String())),
    transcript_terms: Type.Optional(Type.Array(Type.String())),
  }),
  'body',
)

const BUSY: Problem = {
  code: 'invalid_request',
  detail: 'The audio before is still being transcribed. Wait for its transcript, or use another connection.',
}

const NO_AUDIO: Problem = {
  code: 'invalid_request',
  detail: 'audio-stop ends a stream of audio, and none has begun. Send audio-start and audio-chunk first.',
}

function createWyomingProtocol(
  channel: LiveChannel,
  deps: WyomingDeps,
): LiveProtocol & Pick<WyomingSession, 'settled'> {
  const reader = createFrameReader()
  const pause = createPause()
  const over = Promise.withResolvers<Result<null, DictationFailure>>()
  let request = NO_REQUEST
  let stream: WyomingStream | null = null
  let isEnding = false
  let doing = Promise.resolve()

  const send = (event: SentEvent) => channel.send(event)

  const concluded = (ended: Result<null, DictationFailure>) => {
    stream = null
    if (!ended.ok) over.resolve(ended)
    else if (isEnding) over.resolve(succeed(null))
  }

  const begin = async (event: WyomingEvent): Promise<Problem | null> => {
    const layout = readLayout(event)
    if (!layout.ok) return layout.failure
    const leave = deps.liveSessions.enter()
    if (leave === null) return SESSIONS_FULL
    const asked = request
    request = NO_REQUEST
    const opening = openWyomingStream(deps, { request: asked, layout: layout.value, channel })
    opening.then(({ ok }) => ok || leave(), leave)
    const opened = await opening
    if (!opened.ok) return opened.failure
    stream = opened.value
    stream.ended.finally(leave).then(concluded, (error) => channel.refuse(internalError(error, deps.log)))
    return null
  }

  const push = async (event: WyomingEvent): Promise<Problem | null> => {
    // Some clients send no audio-start; each chunk has the format.
    if (stream === null) {
      const problem = await begin(event)
      if (problem) return problem
    }
    return stream === null ? null : stream.push(event)
  }

  /** @returns why the connection ends */
  const act = async (event: WyomingEvent): Promise<Problem | null> => {
    switch (event.type) {
      case 'describe':
        send({ type: 'info', data: await wyomingInfo(deps) })
        return null
      case 'ping':
        send({ type: 'pong', data: { text: event.data.text } })
        return null
      case 'transcribe': {
        const checked = checkTranscribe(event.data)
        if (!checked.ok) return invalidRequest(checked.failure)
        const { name, language, transcript_names = [], transcript_terms = [] } = checked.value
        const keywords = [...transcript_names, ...transcript_terms].filter(isKeyword)
        request = { model: name ?? null, language, keywords: keywords.slice(0, MAX_KEYWORDS) }
        return null
      }
      case 'audio-start':
        return stream === null ? begin(event) : BUSY
      case 'audio-chunk':
        return stream?.isFinished() ? BUSY : push(event)
      case 'audio-stop':
        if (stream === null) return NO_AUDIO
        stream.finish()
        return null
      default:
        // The protocol requires servers to ignore unknown events.
        return null
    }
  }

  /** Nothing after it is read, and the audio before it is still transcribed. */
  const endWith = (problem: Problem) => {
    isEnding = true
    channel.finish(problem)
  }

  const readOn = async () => {
    for (;;) {
      if (isEnding) return
      const read = reader.next()
      if (!read.ok) return endWith(read.failure)
      if (read.value === null) return
      const problem = await act(read.value)
      if (problem) return endWith(problem)
      await pause()
    }
  }

  /** Processes events in the order of arrival, although resolving a model takes time. */
  const inTurn = (work: () => Promise<void> | void) => {
    doing = doing.then(work).catch((error) => channel.refuse(internalError(error, deps.log)))
  }

  const end = () => {
    isEnding = true
    if (stream === null) over.resolve(succeed(null))
    else stream.finish()
  }
  channel.signal.addEventListener('abort', end)
  void over.promise.then(() => channel.signal.removeEventListener('abort', end))

  return {
    greeting: () => [],
    take(message) {
      reader.push(typeof message === 'string' ? Buffer.from(message) : message)
      inTurn(readOn)
    },
    finish: () => inTurn(end),
    errorMessage: errorEventOf,
    ended: over.promise,
    settled: () => doing,
  }
}

const isKeyword = (term: string): boolean => term.trim() !== '' && term.length <= LONGEST_KEYWORD

export const errorEventOf = ({ code, detail }: Problem): SentEvent => ({
  type: 'error',
  data: { text: detail, code },
})
