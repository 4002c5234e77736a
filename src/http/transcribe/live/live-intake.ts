// Converts the frames of a live socket to samples at 16 kHz. The first bytes decide between raw samples and Opus.

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

export async function createLiveIntake(options: LiveIntakeOptions): Promise<LiveIntake> {
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
