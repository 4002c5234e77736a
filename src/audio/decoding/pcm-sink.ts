// The output of every decoder: mixes samples to mono, resamples and sanitises them, and writes them to a file. Holds at
// most two seconds of audio.

import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { isDiskFull } from '../../lib/disk-space.ts'
import { collectGarbageEvery } from '../../lib/idle-memory.ts'
import { DecodeError } from './decode-error.ts'
import { createMonoMixer, finite, type MonoMixer } from './mono-mixer.ts'
import { createResampler, OUTPUT_RATE, type Resampler, type Speex } from './resampler.ts'
import { isHole } from './timeline.ts'

const MIN_RATE = 4000
const MAX_RATE = 384_000
const MAX_CHANNELS = 64
const BUFFER_SAMPLES = 16_384
const BYTES_PER_SAMPLE = Float32Array.BYTES_PER_ELEMENT
/** The collector counts only the small objects around sample arrays, and lets hundreds of megabytes accumulate. */
const COLLECT_EVERY_SAMPLES = 60 * OUTPUT_RATE

/** One array per channel, all of equal length, in −1…1. */
export type Sound = { channels: Float32Array[]; rate: number }

export type PcmSink = {
  /** one array per channel, all of equal length, in −1…1; rate and channels may change between calls */
  push(channels: readonly Float32Array[], rate: number): void
  /**
   * Sets the time of what is pushed next. Fills a hole before it with silence, unless that would exceed the maximum
   * length.
   */
  at(seconds: number): void
  /** adds silence up to this time, because another track continues, unless that would exceed the maximum length */
  lastUntil(seconds: number): void
  /** whether silence was inserted between sounds */
  hasHoles(): boolean
  /** whether a hole was too long to be filled */
  ignoredTime(): boolean
  /** seconds pushed so far, holes included */
  reached(): number
  /** samples at 16 kHz written so far */
  samples(): number
  /** writes the rest; call it after a decoder failed, too, to keep what it decoded */
  finish(): void
  close(): void
}

/** Rejects what no recorder writes, before anything is allocated for it. */
export function checkFormat(rate: number, channels: number): void {
  if (!(rate >= MIN_RATE && rate <= MAX_RATE))
    throw new DecodeError(
      'refused',
      `The recording declares a sample rate of ${rate} Hz; rates from 4,000 to 384,000 Hz are supported.`,
    )
  if (!(channels >= 1 && channels <= MAX_CHANNELS))
    throw new DecodeError(
      'refused',
      `The recording declares ${channels} channels; 1 to 64 channels are supported.`,
    )
}

/** @param maxSeconds maximum output length; more throws `audio_too_long` */
export function createPcmSink(speex: Speex, path: string, maxSeconds: number): PcmSink {
  const file = openSync(path, 'w', 0o600)
  const buffer = new Float32Array(BUFFER_SAMPLES)
  const maxSamples = Math.floor(maxSeconds * OUTPUT_RATE)
  let buffered = 0
  let written = 0
  const countDiscarded = collectGarbageEvery(COLLECT_EVERY_SAMPLES, 'at once')
  let resampler: Resampler | null = null
  let mixer: MonoMixer | null = null
  let format = { rate: 0, channels: 0 }
  /** when the mixer and the resampler began, and the length of the audio that they received since */
  let beganSeconds = 0
  let takenSeconds = 0
  let holes = 0
  let ignoredTime = false

  function flush(): void {
    writeAll(file, new Uint8Array(buffer.buffer, 0, buffered * BYTES_PER_SAMPLE), written * BYTES_PER_SAMPLE)
    written += buffered
    countDiscarded(buffered)
    buffered = 0
  }

  const samples = () => written + buffered
  const reached = () => (mixer === null ? samples() / OUTPUT_RATE : beganSeconds + takenSeconds)

  /** Stores the mixer's output, which is finite. */
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

  /** A steep filter overshoots, so its output is clamped. */
  function storeResampled(samples: Float32Array): void {
    for (let i = 0; i < samples.length; i++) samples[i] = finite(samples[i]!)
    store(samples)
  }

  /** Takes no disk space: the file becomes sparse. */
  function silenceUntil(end: number): void {
    if (end > maxSamples) throw tooLong(maxSeconds)
    endFormat()
    if (end <= samples()) return
    flush()
    written = end
    orDiskFull(() => ftruncateSync(file, written * BYTES_PER_SAMPLE))
  }

  function beginFormat(rate: number, channels: number): MonoMixer {
    endFormat()
    format = { rate, channels }
    beganSeconds = samples() / OUTPUT_RATE
    resampler = rate === OUTPUT_RATE ? null : createResampler(speex, rate, storeResampled)
    const emit = resampler?.push ?? store
    mixer = createMonoMixer({ channels, rate, decides: 'ahead', emit })
    return mixer
  }

  function endFormat(): void {
    const [mixing, resampling] = [mixer, resampler]
    mixer = null
    resampler = null
    takenSeconds = 0
    try {
      mixing?.finish()
    } finally {
      resampling?.finish()
    }
  }

  return {
    push(channels, rate) {
      checkFormat(rate, channels.length)
      const isSame = mixer !== null && rate === format.rate && channels.length === format.channels
      const taking = isSame ? mixer! : beginFormat(rate, channels.length)
      takenSeconds += channels[0]!.length / rate
      taking.push(channels)
    },
    at(seconds) {
      if (!isHole(seconds - reached())) return
      const end = Math.round(seconds * OUTPUT_RATE)
      const isBetween = reached() > 0
      if (isBetween) holes++
      // One damaged timestamp must not lose what was decoded before it.
      if (isBetween && end > maxSamples) ignoredTime = true
      else silenceUntil(end)
    },
    lastUntil(seconds) {
      const end = Math.round(seconds * OUTPUT_RATE)
      if (isHole(seconds - reached()) && end <= maxSamples) silenceUntil(end)
    },
    hasHoles: () => holes > 0,
    ignoredTime: () => ignoredTime,
    reached,
    samples,
    finish() {
      endFormat()
      flush()
    },
    close: () => closeSync(file),
  }
}

function writeAll(file: number, bytes: Uint8Array, at: number): void {
  orDiskFull(() => {
    for (let done = 0; done < bytes.length; )
      done += writeSync(file, bytes, done, bytes.length - done, at + done)
  })
}

function orDiskFull(write: () => void): void {
  try {
    write()
  } catch (error) {
    if (!isDiskFull(error)) throw error
    throw new DecodeError(
      'disk_full',
      'The disk is full, so the recording could not be decoded. Free some space and try again.',
    )
  }
}

export const tooLong = (maxSeconds: number): DecodeError =>
  new DecodeError('audio_too_long', `The recording is longer than ${describeLimit(maxSeconds)}.`)

function describeLimit(seconds: number): string {
  if (seconds >= 7200) return `${Math.round(seconds / 360) / 10} hours`
  return seconds >= 120 ? `${Math.round(seconds / 6) / 10} minutes` : `${seconds} seconds`
}
