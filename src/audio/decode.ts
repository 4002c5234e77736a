// Decodes any recording to a file of 16 kHz mono floats, each in a process of its own that can be killed.
// Knows processes and files; formats are the business of decoding/, which only the child loads.

import { stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../lib/log.ts'
import { isMissing } from '../lib/missing-file.ts'
import { pause } from '../lib/persist.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import type { AudioKind, PcmFile } from './audio-file.ts'
import { type ChildOutcome, type ChildReport, type DecoderChild, isReport } from './decoder-child.ts'
import { createDecoderPool } from './decoder-pool.ts'
import type { DecodeErrorCode } from './decoding/decode-error.ts'
import { type DecodeTask, pathsOf } from './decoding/decode-task.ts'
import { PCM_BYTES_PER_SAMPLE, PCM_SAMPLE_RATE } from './pcm.ts'
import { createTurns } from './turns.ts'
import { createWorkRoom, type Reservation, type Wanted } from './work-room.ts'

export type DecodeFailure = {
  code:
    | 'undecodable_audio'
    | 'audio_too_long'
    /** its format needs the optional package, which is not installed; the message says how */
    | 'decoder_missing'
    | 'decode_timeout'
    /** its process ended under it: the recording's fault, or the machine's; another attempt tells */
    | 'decoder_crashed'
    | 'aborted'
    | 'disk_full'
  message: string
}

export type AudioDecoder = {
  /** @param kind as sniffFile recognised it; an abort ends the process and leaves no files */
  decode(request: {
    path: string
    kind: AudioKind
    signal: AbortSignal
    /** receives where the samples gather, for a player, which reads them meanwhile and may pause for minutes */
    onOutput?: (path: string) => void
  }): Promise<Result<PcmFile, DecodeFailure>>
  /** resolves when the spare process is up; does nothing without one */
  warm(): Promise<void>
  /** kills every process; calls under way and later ones end as `aborted` */
  close(): Promise<void>
}

export type AudioDecoderOptions = {
  /** exists already; decoded samples live here until they are disposed of */
  workFolder: string
  /** counted on what comes out, while it does */
  maxAudioSeconds: number
  /** keep a process waiting, so that its start is not part of a decode */
  spare: boolean
  /** how much decoded samples may fill at once, unless a single recording needs more */
  mostWorkBytes?: number
  /** false behaves as if the optional package were not installed */
  optionalDecoder?: boolean
  log?: Log
}

/** After each start that failed; then it is said to have crashed. */
const PAUSES_BETWEEN_STARTS_MS = [100, 1000, 0]
/** Each takes a core. */
const MAX_PROCESSES = 2

export function createAudioDecoder(options: AudioDecoderOptions): AudioDecoder {
  const turns = createTurns(MAX_PROCESSES)
  const closing = new AbortController()
  const { workFolder, maxAudioSeconds, optionalDecoder = true } = options
  const openRoom = () => createWorkRoom({ folder: workFolder, mostBytes: options.mostWorkBytes })
  // A paused player must not keep recordings from being transcribed.
  const rooms = { transcription: openRoom(), playback: openRoom() }
  const mostBytes = maxAudioSeconds * PCM_SAMPLE_RATE * PCM_BYTES_PER_SAMPLE
  const pool = createDecoderPool(options.spare ? MAX_PROCESSES : 0)

  /** One that ended before it was up says nothing about the recording. */
  async function takeReady(signal: AbortSignal): Promise<DecoderChild | null> {
    for (const pauseMs of PAUSES_BETWEEN_STARTS_MS) {
      const child = pool.take()
      if (await child.ready) return child
      await pause(pauseMs, signal)
      if (signal.aborted) return null
    }
    return null
  }

  async function runChild(task: DecodeTask, signal: AbortSignal): Promise<ChildOutcome> {
    const child = await takeReady(signal)
    if (child === null) return { step: signal.aborted ? 'aborted' : 'crashed' }
    const outcome = await child.run(task, signal)
    const usedFfmpeg = isReport(outcome) && outcome.usedFfmpeg
    if (closing.signal.aborted || !cameToItsEnd(outcome)) await child.kill()
    else pool.giveBack(child, { samples: outcome.step === 'decoded' ? outcome.samples : 0, usedFfmpeg })
    if (!closing.signal.aborted) pool.refill({ preloadFfmpeg: usedFfmpeg })
    return outcome
  }

  type Work = Omit<DecodeTask, 'roomBytes'>

  async function decodeInRoom(
    work: Work,
    { reserved, signal }: { reserved: Reservation; signal: AbortSignal },
  ): Promise<ChildOutcome> {
    // What decodes to the longest that may be is stopped for its length.
    const roomBytes = reserved.bytes() >= mostBytes ? Number.MAX_SAFE_INTEGER : reserved.bytes()
    const release = await turns.take(signal)
    if (release === null) return { step: 'aborted' }
    try {
      const outcome = await runChild({ ...work, roomBytes }, signal)
      // A process that was ended has not tidied up.
      if (outcome.step !== 'decoded') await Promise.all(pathsOf(work).map(removeFile))
      return outcome
    } finally {
      release()
    }
  }

  const decode: AudioDecoder['decode'] = async ({ path, kind, signal, onOutput }) => {
    const stop = AbortSignal.any([signal, closing.signal])
    const room = onOutput ? rooms.playback : rooms.transcription
    const outputPath = join(workFolder, `${crypto.randomUUID()}.f32`)
    const work = { path, format: kind.format, outputPath, maxAudioSeconds, optionalDecoder }
    onOutput?.(outputPath)
    let wanted: Wanted = { bytes: likelyBytes(await sizeOf(path)), isGuess: true }
    for (;;) {
      wanted.bytes = Math.min(wanted.bytes, mostBytes)
      const taken = await room.take(wanted, stop)
      if (!taken.ok) return taken
      const reserved = taken.value
      const givenBytes = reserved.bytes()
      const startedAt = performance.now()
      let outcome: ChildOutcome = { step: 'crashed' }
      try {
        outcome = await decodeInRoom(work, { reserved, signal: stop })
      } finally {
        if (outcome.step !== 'decoded') reserved.release()
      }
      const decodeMs = Math.round(performance.now() - startedAt)
      if (outcome.step === 'decoded') return succeed(pcmFile(outputPath, { outcome, decodeMs, reserved }))
      if (isOutgrown(outcome)) {
        wanted = wantedAfter(outcome, { wanted, givenBytes })
        continue
      }
      const failure = describe(outcome)
      options.log?.info({ format: kind.format, code: failure.code, decodeMs }, 'a recording was not decoded')
      return fail(failure)
    }
  }

  return {
    decode,
    warm: () => pool.warm(),
    async close() {
      closing.abort()
      await turns.idle()
      await pool.close()
    },
  }
}

/** With these it broke off where it stood, and may hold what it would have let go at the end. */
const BROKEN_OFF = new Set<DecodeErrorCode>(['refused', 'audio_too_long', 'disk_full'])

/** Sound of 32 kbit/s. A recording that does not say how long it is gets so much, and more where it needs it. */
const LIKELY_EXPANSION = 16
const LEAST_LIKELY_BYTES = 4 * 1024 ** 2
const MOST_LIKELY_BYTES = 256 * 1024 ** 2
/** Decoding starts over in a larger room; what was done before is a third of the work at most. */
const GROWTH = 4

const likelyBytes = (bytes: number): number =>
  Math.min(Math.max(bytes * LIKELY_EXPANSION, LEAST_LIKELY_BYTES), MOST_LIKELY_BYTES)

/** A decoder may give a little more than the header says. Where all that the disk had was too little, more is needed. */
const wantedAfter = (
  outcome: Outgrown,
  { wanted, givenBytes }: { wanted: Wanted; givenBytes: number },
): Wanted =>
  'needsBytes' in outcome && outcome.needsBytes !== undefined
    ? { bytes: outcome.needsBytes * 1.05 + LEAST_LIKELY_BYTES, isGuess: false }
    : { bytes: givenBytes * GROWTH, isGuess: wanted.isGuess && givenBytes >= wanted.bytes }

/** One that is missing is reported by its decoder. */
const sizeOf = async (path: string): Promise<number> => (await stat(path).catch(() => null))?.size ?? 0

type Outgrown = Extract<ChildOutcome, { step: 'outgrown' | 'failed' }>

const isOutgrown = (outcome: ChildOutcome): outcome is Outgrown =>
  outcome.step === 'outgrown' || (outcome.step === 'failed' && outcome.code === 'outgrown')

const cameToItsEnd = (outcome: ChildOutcome): outcome is ChildReport =>
  isReport(outcome) && !(outcome.step === 'failed' && BROKEN_OFF.has(outcome.code))

type Decoded = {
  outcome: Extract<ChildOutcome, { step: 'decoded' }>
  decodeMs: number
  reserved: Reservation
}

function pcmFile(path: string, { outcome, decodeMs, reserved }: Decoded): PcmFile {
  const { samples, playsAlike, warnings } = outcome
  const durationMs = Math.round((samples / PCM_SAMPLE_RATE) * 1000)
  reserved.shrink(samples * PCM_BYTES_PER_SAMPLE)
  const dispose = async () => {
    try {
      await removeFile(path)
    } finally {
      reserved.release()
    }
  }
  return { path, samples, durationMs, decodeMs, playsAlike, warnings, dispose }
}

/** One that is not there is removed already. */
async function removeFile(path: string): Promise<void> {
  try {
    await unlink(path)
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}

const FAILURE_CODES: Record<Exclude<DecodeErrorCode, 'outgrown'>, DecodeFailure['code']> = {
  damaged: 'undecodable_audio',
  refused: 'undecodable_audio',
  unsupported: 'undecodable_audio',
  audio_too_long: 'audio_too_long',
  decoder_missing: 'decoder_missing',
  disk_full: 'disk_full',
}

const ABORTED: DecodeFailure = { code: 'aborted', message: 'Decoding was cancelled.' }

function describe(outcome: Exclude<ChildOutcome, { step: 'decoded' } | Outgrown>): DecodeFailure {
  if (outcome.step === 'aborted') return ABORTED
  if (outcome.step === 'timeout')
    return {
      code: 'decode_timeout',
      message: 'The recording took too long to decode and was given up; it is probably damaged.',
    }
  if (outcome.step === 'crashed')
    return { code: 'decoder_crashed', message: 'The decoder crashed; the recording is probably damaged.' }
  const { code, message } = outcome
  return { code: FAILURE_CODES[code], message }
}
