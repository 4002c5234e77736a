// Where every decoder puts its samples: mixed to mono, resampled, made finite, counted and written to a file.
// Knows nothing of formats; holds a second of sound at most.

import { closeSync, openSync, writeSync } from 'node:fs'
import { isDiskFull } from '../../lib/disk-space.ts'
import { collectingEvery } from '../../lib/garbage.ts'
import { DecodeError } from './decode-error.ts'
import { createResampler, OUTPUT_RATE, type Resampler, type Speex } from './resampler.ts'

const MIN_RATE = 4000
const MAX_RATE = 384_000
const MAX_CHANNELS = 64
const BUFFER_SAMPLES = 16_384
/** The collector sees the small objects around arrays of samples and lets hundreds of megabytes gather. */
const COLLECT_EVERY_SAMPLES = 60 * OUTPUT_RATE

/** One array per channel, all equally long, in −1…1. */
export type Sound = { channels: Float32Array[]; rate: number }

export type PcmSink = {
  /** one array per channel, all equally long, in −1…1; may change rate or channels between calls */
  push(channels: readonly Float32Array[], rate: number): void
  /** samples at 16 kHz written so far */
  samples(): number
  /** writes what is still held back; also after a decoder failed, to keep what it found */
  finish(): void
  close(): void
}

/** Refuses what no recorder writes, before anything is allocated for it. */
export function checkFormat(rate: number, channels: number): void {
  if (!(rate >= MIN_RATE && rate <= MAX_RATE))
    throw new DecodeError(
      'refused',
      `The recording claims ${rate} samples a second; between 4,000 and 384,000 can be read.`,
    )
  if (!(channels >= 1 && channels <= MAX_CHANNELS))
    throw new DecodeError('refused', `The recording claims ${channels} channels; 1 to 64 can be read.`)
}

/** @param maxSeconds of sound that may come out; more throws `audio_too_long` */
export function createPcmSink(speex: Speex, path: string, maxSeconds: number): PcmSink {
  const file = openSync(path, 'w', 0o600)
  const buffer = new Float32Array(BUFFER_SAMPLES)
  const maxSamples = Math.floor(maxSeconds * OUTPUT_RATE)
  let buffered = 0
  let written = 0
  const leaveBehind = collectingEvery(COLLECT_EVERY_SAMPLES, 'at once')
  let resampler: Resampler | null = null
  let resamplerRate = OUTPUT_RATE
  let mono = new Float32Array(0)

  function flush(): void {
    writeAll(file, new Uint8Array(buffer.buffer, 0, buffered * buffer.BYTES_PER_ELEMENT))
    written += buffered
    leaveBehind(buffered)
    buffered = 0
  }

  /** Finite samples, as mixDown gives them. */
  function store(samples: Float32Array): void {
    for (let done = 0; done < samples.length; ) {
      if (buffered === BUFFER_SAMPLES) flush()
      const room = Math.min(BUFFER_SAMPLES - buffered, maxSamples - written - buffered)
      if (room <= 0) throw tooLong(maxSeconds)
      const part = samples.subarray(done, done + room)
      buffer.set(part, buffered)
      buffered += part.length
      done += part.length
    }
  }

  /** A steep filter swings over the edge of what it is given. */
  function storeResampled(samples: Float32Array): void {
    for (let i = 0; i < samples.length; i++) samples[i] = finite(samples[i]!)
    store(samples)
  }

  function endResampler(): void {
    resampler?.finish()
    resampler = null
  }

  return {
    push(channels, rate) {
      checkFormat(rate, channels.length)
      const length = channels[0]!.length
      if (mono.length < length) mono = new Float32Array(length)
      mixDown(channels, mono)
      if (rate !== resamplerRate) {
        endResampler()
        resamplerRate = rate
      }
      const mixed = mono.subarray(0, length)
      if (rate === OUTPUT_RATE) return store(mixed)
      resampler ??= createResampler(speex, rate, storeResampled)
      resampler.push(mixed)
    },
    samples: () => written + buffered,
    finish() {
      endResampler()
      flush()
    },
    close: () => closeSync(file),
  }
}

/** The average of all channels. One broken number would spread through the resampler's filter: cleaned first. */
export function mixDown(channels: readonly Float32Array[], mono: Float32Array): void {
  const [first, ...others] = channels
  const length = first!.length
  for (let i = 0; i < length; i++) mono[i] = finite(first![i]!)
  if (others.length === 0) return
  for (const channel of others) for (let i = 0; i < length; i++) mono[i]! += finite(channel[i]!)
  for (let i = 0; i < length; i++) mono[i]! /= channels.length
}

/** Damaged AAC and MP3 come out as NaN, infinities and numbers above 100. */
function finite(sample: number): number {
  if (sample >= -1 && sample <= 1) return sample
  return Number.isFinite(sample) ? Math.sign(sample) : 0
}

function writeAll(file: number, bytes: Uint8Array): void {
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done)
  } catch (error) {
    if (!isDiskFull(error)) throw error
    throw new DecodeError('disk_full', 'The disk is full: the recording could not be decoded.')
  }
}

export const tooLong = (maxSeconds: number): DecodeError =>
  new DecodeError('audio_too_long', `The recording is longer than ${describeLimit(maxSeconds)}.`)

function describeLimit(seconds: number): string {
  if (seconds >= 7200) return `${Math.round(seconds / 360) / 10} hours`
  return seconds >= 120 ? `${Math.round(seconds / 6) / 10} minutes` : `${seconds} seconds`
}
