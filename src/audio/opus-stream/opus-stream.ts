// Decodes Opus in WebM or Ogg, as a browser's MediaRecorder streams it, to mono samples at 16 kHz while it
// arrives.

import { createNotifier } from '../../lib/notifier.ts'
import { once } from '../../lib/once.ts'
import { fail, type Result, succeed } from '../../lib/result.ts'
import { createPause } from '../../lib/time-slice.ts'
import { createByteQueue } from '../byte-queue.ts'
import { DecodeError } from '../decoding/decode-error.ts'
import { createMonoMixer } from '../decoding/mono-mixer.ts'
import { createOpusDecoder } from '../decoding/opus.ts'
import { isHole, LONGEST_LIVE_HOLE_SECONDS } from '../decoding/pcm-sink.ts'
import { OUTPUT_RATE } from '../decoding/resampler.ts'
import { PCM_SAMPLE_RATE } from '../pcm.ts'
import { type Demuxed, damaged, type OpusContainer, opusSamples } from './demuxer.ts'
import { createOggDemuxer } from './ogg-demuxer.ts'
import { createWebmDemuxer } from './webm-demuxer.ts'

export type MonoOpus = {
  /**
   * Emits 16 kHz mono. With two channels the output is 32 ms late, and the first half second comes in one piece.
   * @param most maximum number of samples to take from the packet
   * @returns the number of samples taken, without the pre-skip
   * @throws DecodeError for an invalid packet
   */
  decode(packet: Uint8Array, most: number): number
  /** appends this many samples of silence */
  silence(samples: number): void
  /** emits the rest */
  finish(): void
  free(): void
}

/** The size of the decoder's buffer per channel: 256 kbit/s in packets of 120 ms. */
const MOST_BYTES = 3840

/** @throws DecodeError if the header is invalid or has more than two channels, which no browser records */
export async function createMonoOpus(
  head: Uint8Array,
  emit: (samples: Float32Array) => void,
): Promise<MonoOpus> {
  const [channels = 1, mappingFamily = 0] = [head[9], head[18]]
  if (mappingFamily !== 0)
    throw new DecodeError(
      'unsupported',
      'The stream has more than two channels or an unsupported channel mapping. Send mono or stereo.',
    )
  const decoder = await createOpusDecoder(head)
  const decodeOne = (packet: Uint8Array) => {
    try {
      return decoder.decode(packet)
    } catch {
      // WebAssembly may trap with any error.
      throw brokenPacket()
    }
  }
  const mixer = createMonoMixer({ channels, rate: OUTPUT_RATE, decides: 'at once', emit })
  return {
    decode(packet, most) {
      // The decoder would log each such packet to the console, or throw if it does not fit its buffer.
      if (opusSamples(packet) === null || packet.length > MOST_BYTES * channels) throw brokenPacket()
      const sound = decodeOne(packet)
      if (sound === null) return 0
      const taken = sound.channels.map((samples) => samples.subarray(0, most))
      mixer.push(taken)
      return taken[0]!.length
    },
    silence(samples) {
      mixer.push(Array.from({ length: channels }, () => new Float32Array(samples)))
    },
    finish: mixer.finish,
    free: decoder.free,
  }
}

const brokenPacket = () => damaged('A packet of the stream is damaged.')

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
const MOST_HELD_BYTES = 8 * 1024 ** 2
const OPUS_CLOCK = 48_000
/**
 * Limit of silence in holes: a client can claim it with a few bytes, and it takes a thousandth of its length to
 * process.
 */
const MOST_FILLED_SECONDS = 3600

const TOO_FAR_BEHIND: OpusStreamFailure = {
  code: 'too_far_behind',
  message: 'Audio arrived faster than it can be decoded. Send it in real time, as it is recorded.',
}

const DEMUXERS = { webm: createWebmDemuxer, ogg: createOggDemuxer }

/** Loaded on first use, so that it does not delay the start of the server. */
const decoding = once(async () => (await import('./opus-stream.ts')).createMonoOpus)

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
  const fillHole = async (startsAt: number, pause: () => Promise<void>) => {
    const hole = startsAt - passedSeconds - emitted / PCM_SAMPLE_RATE
    if (!isHole(hole)) return
    if (hole > LONGEST_LIVE_HOLE_SECONDS || filledSeconds + hole > MOST_FILLED_SECONDS) {
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
  const emitDemuxed = async ({ head, packets, startsAt, endsAt }: Demuxed, pause: () => Promise<void>) => {
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
