// Opus as a browser's MediaRecorder packs it, in WebM or Ogg, brought to samples at 16 kHz while it arrives.
// Files are decoding/'s; how it comes and who hears it is its caller's.

import { createNews } from '../../lib/news.ts'
import { once } from '../../lib/once.ts'
import { fail, type Result, succeed } from '../../lib/result.ts'
import { createPause } from '../../lib/slices.ts'
import { createByteQueue } from '../byte-queue.ts'
import { DecodeError } from '../decoding/decode-error.ts'
import { isHole, LONGEST_LIVE_HOLE_SECONDS } from '../decoding/timeline.ts'
import { PCM_SAMPLE_RATE } from '../pcm.ts'
import type { MonoOpus } from './mono-opus.ts'
import { createOggDemuxer } from './ogg-demuxer.ts'
import type { OpusContainer } from './opus-container.ts'
import { damaged, type Unpacked } from './unpacked.ts'
import { createWebmDemuxer } from './webm-demuxer.ts'

export type OpusStreamFailure = {
  code: 'undecodable_audio' | 'unsupported_audio' | 'too_far_behind'
  message: string
}

export type OpusStream = {
  /** in pieces of any size, which are copied; ignored after the end */
  push(bytes: Uint8Array): void
  /** nothing more comes; what is not whole is left out, as where a file was cut off */
  finish(): void
  /** when all that came was given out, or what ended it: what came before was given out as well */
  ended: Promise<Result<null, OpusStreamFailure>>
}

type OpusStreamOptions = {
  container: OpusContainer
  /** gives up: nothing is given out any more */
  signal: AbortSignal
  /** receives 16 kHz mono */
  emit: (samples: Float32Array) => void
}

/** Minutes at any rate that speech has, and seconds to decode. */
const MOST_HELD_BYTES = 8 * 1024 ** 2
const OPUS_CLOCK = 48_000
/** Of silence in holes: each costs a thousandth of its time to hear, and a few bytes to send. */
const MOST_FILLED_SECONDS = 3600

const TOO_FAR_BEHIND: OpusStreamFailure = {
  code: 'too_far_behind',
  message: 'More audio came than can be unpacked in time: send it as it is recorded.',
}

const DEMUXERS = { webm: createWebmDemuxer, ogg: createOggDemuxer }

/** No start of the server waits for the decoder. */
const decoding = once(async () => (await import('./mono-opus.ts')).createMonoOpus)

export function createOpusStream({ container, signal, emit }: OpusStreamOptions): OpusStream {
  const bytes = createByteQueue()
  const demuxer = DEMUXERS[container](bytes)
  let state: 'open' | 'finishing' | 'overrun' | 'over' = 'open'
  const { tell: wake, next } = createNews()
  let decoder: MonoOpus | null = null
  let given = 0
  let filledSeconds = 0
  /** of holes that were not filled */
  let passedSeconds = 0

  /** Silence up to where sound plays, if that is later than what came before it ends. */
  const fillHole = async (startsAt: number, pause: () => Promise<void>) => {
    const hole = startsAt - passedSeconds - given / PCM_SAMPLE_RATE
    if (!isHole(hole)) return
    if (hole > LONGEST_LIVE_HOLE_SECONDS || filledSeconds + hole > MOST_FILLED_SECONDS) {
      passedSeconds += hole
      return
    }
    filledSeconds += hole
    const until = Math.round((startsAt - passedSeconds) * PCM_SAMPLE_RATE)
    while (given < until && !signal.aborted) {
      const samples = Math.min(until - given, PCM_SAMPLE_RATE)
      decoder!.silence(samples)
      given += samples
      await pause()
    }
  }

  /** Pauses between packets where it takes long. */
  const sound = async ({ head, packets, startsAt, endsAt }: Unpacked, pause: () => Promise<void>) => {
    if (head) decoder = await (await decoding())(head, emit)
    if (startsAt !== null) await fillHole(startsAt, pause)
    const end = endsAt === null ? 0 : Math.round((endsAt * PCM_SAMPLE_RATE) / OPUS_CLOCK)
    // A stream whose positions do not start at 0 says nothing about its length.
    const limit = end > given ? end : Number.POSITIVE_INFINITY
    for (const packet of packets) {
      if (signal.aborted) return
      given += decoder!.decode(packet, limit - given)
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
        if (step !== 'passed') await sound(step, pause)
        await pause()
      }
    }
    if (!decoder && !signal.aborted) throw damaged('The stream ended before its sound began.')
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
      if (bytes.length() + piece.length > MOST_HELD_BYTES) state = 'overrun'
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
