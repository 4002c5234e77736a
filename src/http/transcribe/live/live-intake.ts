// What is sent on a live socket as samples at 16 kHz: told by its first bytes whether it is samples or packed Opus.
// What becomes of them is live-session.ts's, how Opus is unpacked audio/opus-stream/'s.

import { type OpusContainer, opusContainerOf } from '../../../audio/opus-stream/opus-container.ts'
import { createOpusStream } from '../../../audio/opus-stream/opus-stream.ts'
import { createPcmStream } from '../../../audio/pcm-stream.ts'
import { createWholeSamples } from '../../../audio/whole-samples.ts'
import { problemOf } from '../../contract/failure.ts'
import type { Problem } from '../../contract/problem.ts'
import { fileInPlaceOfSamples, NO_PACKED_OPUS, tooLargeFrame } from './messages.ts'

const SAMPLE_BYTES = 2

export const LIVE_ENCODINGS = ['pcm_s16le', 'opus'] as const

export type LiveEncoding = (typeof LIVE_ENCODINGS)[number]

export type LiveIntake = {
  /** what is wrong with a frame */
  push(frame: Uint8Array): Problem | null
  /** nothing more comes: `onEnd` follows */
  finish(): void
  /** to be called however it ends */
  free(): void
}

export type LiveIntakeOptions = {
  /** null is told by the first bytes */
  encoding: LiveEncoding | null
  /** of samples, in Hz */
  rate: number
  signal: AbortSignal
  /** told of all that is audio before it is read; false leaves it out */
  onBytes: (bytes: Uint8Array, encoding: LiveEncoding) => boolean
  /** only valid during the call */
  onSamples: (samples: Float32Array) => void
  /** all samples were given; a problem where what was sent is no Opus from some byte on */
  onEnd: (problem: Problem | null) => void
  /** a bug */
  onBreak: (error: unknown) => void
}

/** One kind of audio, once it is known which. */
type Reader = { push(bytes: Uint8Array): Problem | null; finish(): void }

export async function createLiveIntake(options: LiveIntakeOptions): Promise<LiveIntake> {
  const { rate, onBytes, onSamples, onEnd } = options
  const pcm = options.encoding === 'opus' ? null : await createPcmStream({ rate }, onSamples)
  let reader: Reader | null = null
  /** too few to tell what begins */
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
