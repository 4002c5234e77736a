// Decodes Opus in WebM or Ogg, as a browser's MediaRecorder streams it, to samples at 16 kHz while it arrives.

import { createNotifier } from '../../lib/notifier.ts'
import { once } from '../../lib/once.ts'
import { fail, type Result, succeed } from '../../lib/result.ts'
import { createPause, type Pause } from '../../lib/time-slice.ts'
import { createByteQueue } from '../byte-queue.ts'
import { DecodeError } from '../decoding/decode-error.ts'
import { isHole, LONGEST_LIVE_HOLE_SECONDS } from '../decoding/timeline.ts'
import { PCM_SAMPLE_RATE } from '../pcm.ts'
import type { OpusContainer } from './demuxer.ts'
import { type Demuxed, damaged } from './demuxer.ts'
import type { MonoOpus } from './mono-opus.ts'
import { createOggDemuxer } from './ogg-demuxer.ts'
import { createWebmDemuxer } from './webm-demuxer.ts'

export type OpusStreamFailure = {
  code: 'undecodable_audio' | 'unsupported_audio' | 'too_far_behind'
  message: string
}

export type OpusStream = {
  /** takes pieces of any size and copies them; ignored after the end */
  push(bytes: Uint8Array): void
  /** ends the stream; an incomplete packet is dropped, as in a truncated file */
  finish(): void
  /** resolves when all input is decoded and emitted, or with the failure that ended it, after the audio before it */
  ended: Promise<Result<null, OpusStreamFailure>>
}

type OpusStreamOptions = {
  container: OpusContainer
  /** aborting it stops the output at once */
  signal: AbortSignal
  /** receives 16 kHz mono */
  emit: (samples: Float32Array) => void
}

/** Minutes of speech at any usual bitrate, and seconds of decoding. */
const MAX_HELD_BYTES = 8 * 1024 ** 2
const OPUS_CLOCK = 48_000
/**
 * Limit of silence in holes: a client can claim it with a few bytes, and it takes a thousandth of its length to
 * process.
 */
const MAX_FILLED_SECONDS = 3600

const TOO_FAR_BEHIND: OpusStreamFailure = {
  code: 'too_far_behind',
  message: 'Audio arrived faster than it can be decoded. Send it in real time, as it is recorded.',
}

const DEMUXERS = { webm: createWebmDemuxer, ogg: createOggDemuxer }

/** Loaded on first use, so that it does not delay the start of the server. */
const decoding = once(async () => (await import('./mono-opus.ts')).createMonoOpus)

export function createOpusStream({ container, signal, emit }: OpusStreamOptions): OpusStream {
  const bytes = createByteQueue()
  const demuxer = DEMUXERS[container](bytes)
  let state: 'open' | 'finishing' | 'overrun' | 'over' = 'open'
  const { notify: wake, next } = createNotifier()
  let decoder: MonoOpus | null = null
  let emitted = 0
  let filledSeconds = 0
  /** length of the holes that were not filled */
  let passedSeconds = 0

  /** Emits silence up to `startsAt`, if the audio so far ends before it. */
  const fillHole = async (startsAt: number, pause: Pause) => {
    const hole = startsAt - passedSeconds - emitted / PCM_SAMPLE_RATE
    if (!isHole(hole)) return
    if (hole > LONGEST_LIVE_HOLE_SECONDS || filledSeconds + hole > MAX_FILLED_SECONDS) {
      passedSeconds += hole
      return
    }
    filledSeconds += hole
    const until = Math.round((startsAt - passedSeconds) * PCM_SAMPLE_RATE)
    while (emitted < until && !signal.aborted) {
      const samples = Math.min(until - emitted, PCM_SAMPLE_RATE)
      decoder!.silence(samples)
      emitted += samples
      await pause()
    }
  }

  /** Decodes and emits; yields to the event loop between packets if that takes long. */
  const emitDemuxed = async ({ head, packets, startsAt, endsAt }: Demuxed, pause: Pause) => {
    if (head) decoder = await (await decoding())(head, emit)
    if (startsAt !== null) await fillHole(startsAt, pause)
    const end = endsAt === null ? 0 : Math.round((endsAt * PCM_SAMPLE_RATE) / OPUS_CLOCK)
    // If the positions of a stream do not start at 0, they say nothing about its length.
    const limit = end > emitted ? end : Number.POSITIVE_INFINITY
    for (const packet of packets) {
      if (signal.aborted) return
      emitted += decoder!.decode(packet, limit - emitted)
      await pause()
    }
  }

  const unpack = async (): Promise<Result<null, OpusStreamFailure>> => {
    const pause = createPause()
    while (!signal.aborted) {
      if (state === 'overrun') return fail(TOO_FAR_BEHIND)
      const step = demuxer.step()
      if (step === 'starved') {
        if (state === 'finishing') break
        await next()
        pause.restart()
      } else {
        if (step !== 'passed') await emitDemuxed(step, pause)
        await pause()
      }
    }
    if (!decoder && !signal.aborted) throw damaged('The stream ended before its audio began.')
    return succeed(null)
  }

  signal.addEventListener('abort', wake, { once: true })
  const ended = unpack()
    .catch((error) => fail(failureOf(error)))
    .finally(() => {
      state = 'over'
      signal.removeEventListener('abort', wake)
      if (!signal.aborted) decoder?.finish()
      decoder?.free()
    })

  return {
    push(piece) {
      if (state !== 'open') return
      if (bytes.length() + piece.length > MAX_HELD_BYTES) state = 'overrun'
      else bytes.push(piece)
      wake()
    },
    finish() {
      if (state === 'open') state = 'finishing'
      wake()
    },
    ended,
  }
}

function failureOf(error: unknown): OpusStreamFailure {
  if (!(error instanceof DecodeError)) throw error
  const { code, message } = error
  return { code: code === 'unsupported' ? 'unsupported_audio' : 'undecodable_audio', message }
}
