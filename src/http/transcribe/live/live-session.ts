// One session of WS /transcribe/live: its place among all sessions, its audio, its messages, and the capture it leaves.

import { type OpusContainer, opusContainerOf } from '../../../audio/opus-stream/demuxer.ts'
import { createOpusStream } from '../../../audio/opus-stream/opus-stream.ts'
import { createWholeSamples } from '../../../audio/pcm.ts'
import { createPcmStream } from '../../../audio/pcm-stream.ts'
import type { Arrival } from '../../../captures/capture-files.ts'
import type { Captures } from '../../../captures/captures.ts'
import type { CaptureFields } from '../../../captures/new-capture.ts'
import type { DictationFailure } from '../../../dictation/choose-model.ts'
import type { LiveRequest, LiveStream } from '../../../dictation/live-dictation.ts'
import type { Log } from '../../../lib/log.ts'
import { type Result, succeed } from '../../../lib/result.ts'
import { pause } from '../../../lib/retry.ts'
import { type Failure, type Problem, problemOf } from '../../kernel/problem.ts'
import { type LiveRecording, recordLive } from '../../recording/live-recording.ts'
import { problemOfCut } from '../../recording/receive.ts'
import { internalError } from '../../server/router.ts'
import { type LiveSocket, type LiveSocketOptions, openLiveSocket } from './live-socket.ts'
import {
  CLOSED,
  errorMessage,
  fileInPlaceOfSamples,
  type LiveMessage,
  messageOf,
  NO_PACKED_OPUS,
  readCommand,
  tooLargeFrame,
} from './messages.ts'

const SAMPLE_BYTES = 2

export const LIVE_ENCODINGS = ['pcm_s16le', 'opus'] as const

export type LiveEncoding = (typeof LIVE_ENCODINGS)[number]

export type LiveIntake = {
  /** returns why a frame is rejected; null if it is accepted */
  push(frame: Uint8Array): Problem | null
  /** ends the input; `onEnd` follows */
  finish(): void
  /** must be called in any case */
  free(): void
}

export type LiveIntakeOptions = {
  /** null: detected from the first bytes */
  encoding: LiveEncoding | null
  /** sample rate in Hz */
  rate: number
  signal: AbortSignal
  /** called with all audio before it is decoded; returning false skips it */
  onBytes: (bytes: Uint8Array, encoding: LiveEncoding) => boolean
  /** only valid during the call */
  onSamples: (samples: Float32Array) => void
  /** called after the last samples; with a problem if the Opus data became invalid */
  onEnd: (problem: Problem | null) => void
  /** called after a bug in this process */
  onBreak: (error: unknown) => void
}

/** The reader for the detected kind of audio. */
type Reader = { push(bytes: Uint8Array): Problem | null; finish(): void }

async function createLiveIntake(options: LiveIntakeOptions): Promise<LiveIntake> {
  const { rate, onBytes, onSamples, onEnd } = options
  const pcm = options.encoding === 'opus' ? null : await createPcmStream({ rate }, onSamples)
  let reader: Reader | null = null
  /** first bytes, as long as they are too few to detect the kind of audio */
  let unclear: Uint8Array = new Uint8Array()

  const readSamples = (): Reader => {
    const wholeSamples = createWholeSamples(SAMPLE_BYTES)
    return {
      push(bytes) {
        const samples = wholeSamples(bytes)
        if (samples.length > 0 && onBytes(samples, 'pcm_s16le')) pcm!.push(samples)
        return null
      },
      finish() {
        pcm!.finish()
        onEnd(null)
      },
    }
  }

  const readOpus = (container: OpusContainer): Reader => {
    const stream = createOpusStream({ container, signal: options.signal, emit: onSamples })
    stream.ended.then((ended) => onEnd(ended.ok ? null : problemOf(ended.failure)), options.onBreak)
    return {
      push(bytes) {
        if (onBytes(bytes, 'opus')) stream.push(bytes)
        return null
      },
      finish: stream.finish,
    }
  }

  const begin = (bytes: Uint8Array, isAll: boolean): Problem | null => {
    const container = options.encoding === 'pcm_s16le' ? null : opusContainerOf(bytes)
    if (container === 'unclear' && !isAll) {
      unclear = new Uint8Array(bytes)
      return null
    }
    unclear = new Uint8Array()
    if (container === 'webm' || container === 'ogg') reader = readOpus(container)
    else if (options.encoding === 'opus') return NO_PACKED_OPUS
    else {
      const wrong = fileInPlaceOfSamples(bytes)
      if (wrong) return wrong
      reader = readSamples()
    }
    return reader.push(bytes)
  }

  return {
    push(frame) {
      const wrong = tooLargeFrame(frame)
      if (wrong) return wrong
      if (reader) return reader.push(frame)
      return begin(unclear.length === 0 ? frame : Buffer.concat([unclear, frame]), false)
    },
    finish() {
      const wrong = unclear.length > 0 ? begin(unclear, true) : null
      if (wrong || !reader) onEnd(wrong)
      else reader.finish()
    },
    free: () => pcm?.finish(),
  }
}

export type SaveLiveDeps = {
  captures: Pick<Captures, 'checkRoom' | 'create' | 'noteArrival'>
  folders: { inbox: string }
  config: { maxUploadBytes: number }
  log: Log
}

export type LiveSave = Pick<LiveRecording, 'push'> & {
  /** the id of the capture; null if no audio arrived. `interrupted`: the client neither sent a stop nor closed the socket properly */
  finish(how: { interrupted: boolean }): Promise<Result<string | null, Failure>>
}

/** `rate`: sample rate of raw samples; null if the audio arrives in a container */
type Kept = { rate: number | null; fields: CaptureFields; onFailure: (problem: Problem) => void }

export function saveLive({ captures, folders, config, log }: SaveLiveDeps, kept: Kept): LiveSave {
  const { rate, fields, onFailure } = kept
  let arrival: Arrival | undefined
  const arrive = () => {
    arrival = captures.noteArrival({ fields: { ...fields, recordedAt: new Date() }, isDiscarded: false })
    return arrival
  }
  const recording = recordLive({
    folder: folders.inbox,
    id: () => arrive().id,
    wavRate: rate,
    maxBytes: config.maxUploadBytes,
    onCut(cut, isKept) {
      if (isKept) onFailure(problemOfCut(cut, log))
      else onFailure('thrown' in cut ? internalError(cut.thrown, log) : problemOf(cut))
    },
  })
  return {
    push: recording.push,
    async finish({ interrupted }) {
      const incoming = await recording.end()
      if (incoming === null) return succeed(null)
      if (!incoming.ok) {
        await arrival?.forget()
        return incoming
      }
      const created = await captures.create({
        incoming: incoming.value,
        fields: { ...fields, recordedAt: arrival?.madeAt },
        arrival,
        interrupted: interrupted || incoming.value.interrupted,
        isOnlyCopy: true,
      })
      return created.ok ? succeed(created.value.capture.id) : created
    },
  }
}

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

export type LiveSessions = {
  /** returns a function that frees the session's place when its work has ended; null if all places are in use */
  enter(): (() => void) | null
  count(): number
  /** resolves when the current sessions have ended, or at the deadline */
  over(deadlineMs: number): Promise<void>
}

/** The capacity of a machine that transcribes ten times as fast as real time. */
export const MAX_LIVE_SESSIONS = 10

export function createLiveSessions(most = MAX_LIVE_SESSIONS): LiveSessions {
  const places = new Map<symbol, PromiseWithResolvers<void>>()
  return {
    enter() {
      if (places.size >= most) return null
      const place = Symbol('live session')
      const left = Promise.withResolvers<void>()
      places.set(place, left)
      return () => {
        places.delete(place)
        left.resolve()
      }
    },
    count: () => places.size,
    async over(deadlineMs) {
      const isOver = new AbortController()
      const last = Promise.all([...places.values()].map(({ promise }) => promise))
      await Promise.race([last.then(() => isOver.abort()), pause(deadlineMs, isOver.signal)])
    },
  }
}
