// Decodes any recording to a file of 16 kHz mono floats, each in a child process that can be killed.
// decoding/ knows the formats; only the child process loads it.

import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { removeFile } from '../lib/durable.ts'
import type { Log } from '../lib/log.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { pause } from '../lib/retry.ts'
import { createTurns } from '../lib/turns.ts'
import type { AudioKind, PcmFile } from './audio-file.ts'
import { type DecodeOutcome, type DecoderChild, isReport } from './decoder-child.ts'
import type { DecoderReport } from './decoder-messages.ts'
import { createDecoderPool } from './decoder-pool.ts'
import type { DecodeErrorCode } from './decoding/decode-error.ts'
import { type DecodeTask, pathsOf } from './decoding/decode-task.ts'
import { createDiskBudget, type Reservation, type Wanted } from './disk-budget.ts'
import { PCM_BYTES_PER_SAMPLE, PCM_SAMPLE_RATE } from './pcm.ts'

export type DecodeFailure = {
  code:
    | 'undecodable_audio'
    | 'audio_too_long'
    /** the format needs the optional package, which is not installed; the message explains how to install it */
    | 'decoder_missing'
    | 'decode_timeout'
    /** the process died, because of the recording or of the machine; a retry shows which */
    | 'decoder_crashed'
    | 'aborted'
    | 'disk_full'
  message: string
}

export type AudioDecoder = {
  /** @param kind as detected by sniffFile. An abort kills the process and leaves no files. */
  decode(request: {
    path: string
    kind: AudioKind
    signal: AbortSignal
    /** receives the path of the growing output file, for a player that reads it meanwhile and may pause for minutes */
    onOutput?: (path: string) => void
  }): Promise<Result<PcmFile, DecodeFailure>>
  /** resolves when the spare process is ready; does nothing if there is none */
  warm(): Promise<void>
  /** kills every process; running and later calls end as `aborted` */
  close(): Promise<void>
}

export type AudioDecoderOptions = {
  /** must exist; decoded samples are stored here until disposed of */
  workFolder: string
  /** checked against the decoded output, while it is written */
  maxAudioSeconds: number
  /** keep one process running, so that its start does not delay a decode */
  spare: boolean
  /** optional decoders that the user put there. @default none */
  decodersFolder?: string
  /** limit of all decoded samples together, unless a single recording needs more */
  maxWorkBytes?: number
  /** false behaves as if the optional package were not installed */
  optionalDecoder?: boolean
  log?: Log
}

/** Pauses after each failed start; after the last one the decode fails as crashed. */
const PAUSES_BETWEEN_STARTS_MS = [100, 1000, 0]
/** Each process takes a core. */
const MAX_PROCESSES = 2

export function createAudioDecoder(options: AudioDecoderOptions): AudioDecoder {
  const turns = createTurns(() => MAX_PROCESSES)
  const closing = new AbortController()
  const { workFolder, maxAudioSeconds, optionalDecoder = true } = options
  const openBudget = () => createDiskBudget({ folder: workFolder, maxBytes: options.maxWorkBytes })
  // Separate budgets, so that a paused player cannot block transcription.
  const budgets = { transcription: openBudget(), playback: openBudget() }
  const maxBytes = maxAudioSeconds * PCM_SAMPLE_RATE * PCM_BYTES_PER_SAMPLE
  const pool = createDecoderPool(options.spare ? MAX_PROCESSES : 0, undefined, options.decodersFolder)

  /** A process that died before it was ready does not count against the recording. */
  async function takeReady(signal: AbortSignal): Promise<DecoderChild | null> {
    for (const pauseMs of PAUSES_BETWEEN_STARTS_MS) {
      const child = pool.take()
      if (await child.ready) return child
      await pause(pauseMs, signal)
      if (signal.aborted) return null
    }
    return null
  }

  async function runChild(task: DecodeTask, signal: AbortSignal): Promise<DecodeOutcome> {
    const child = await takeReady(signal)
    if (child === null) return { step: signal.aborted ? 'aborted' : 'crashed' }
    const outcome = await child.run(task, signal)
    const usedFfmpeg = isReport(outcome) && outcome.usedFfmpeg
    if (closing.signal.aborted || !isReusable(outcome)) await child.kill()
    else pool.giveBack(child, { samples: outcome.step === 'decoded' ? outcome.samples : 0, usedFfmpeg })
    if (!closing.signal.aborted) pool.refill({ preloadFfmpeg: usedFfmpeg })
    return outcome
  }

  type Work = Omit<DecodeTask, 'reservedBytes'>

  async function decodeReserved(
    work: Work,
    { reserved, signal }: { reserved: Reservation; signal: AbortSignal },
  ): Promise<DecodeOutcome> {
    // A recording that may decode to the maximum length is stopped by the length limit, not by its reservation.
    const reservedBytes = reserved.bytes() >= maxBytes ? Number.MAX_SAFE_INTEGER : reserved.bytes()
    const decodeNow = async () => {
      const outcome = await runChild({ ...work, reservedBytes }, signal)
      // A killed process has not removed its files.
      if (outcome.step !== 'decoded') await Promise.all(pathsOf(work).map(removeFile))
      return outcome
    }
    return (await turns.add(() => 'beside', decodeNow, signal)) ?? { step: 'aborted' }
  }

  const decode: AudioDecoder['decode'] = async ({ path, kind, signal, onOutput }) => {
    const stop = AbortSignal.any([signal, closing.signal])
    const budget = onOutput ? budgets.playback : budgets.transcription
    const outputPath = join(workFolder, `${crypto.randomUUID()}.f32`)
    const work = { path, format: kind.format, outputPath, maxAudioSeconds, optionalDecoder }
    onOutput?.(outputPath)
    let wanted: Wanted = { bytes: likelyBytes(await sizeOf(path)), isGuess: true }
    for (;;) {
      wanted.bytes = Math.min(wanted.bytes, maxBytes)
      const taken = await budget.take(wanted, stop)
      if (!taken.ok) return taken
      const reserved = taken.value
      const givenBytes = reserved.bytes()
      const startedAt = performance.now()
      let outcome: DecodeOutcome = { step: 'crashed' }
      try {
        outcome = await decodeReserved(work, { reserved, signal: stop })
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
      await turns.add(() => 'alone', pool.close)
    },
  }
}

/**
 * After these errors the decoder stopped in the middle, and may still hold memory that a normal end would have freed.
 */
const STOPPED_EARLY = new Set<DecodeErrorCode>(['refused', 'audio_too_long', 'disk_full'])

/**
 * The ratio at 32 kbit/s. A recording without a declared length gets this much space first, and more if it needs it.
 */
const LIKELY_EXPANSION = 16
const MIN_LIKELY_BYTES = 4 * 1024 ** 2
const MAX_LIKELY_BYTES = 256 * 1024 ** 2
/**
 * Decoding starts over with a larger reservation. With this factor the discarded attempts are at most a third of the
 * work.
 */
const GROWTH = 4

const likelyBytes = (bytes: number): number =>
  Math.min(Math.max(bytes * LIKELY_EXPANSION, MIN_LIKELY_BYTES), MAX_LIKELY_BYTES)

/**
 * A decoder may produce slightly more than the header declares. If a guess got all the free space of the disk and that
 * was too little, the next request is not a guess.
 */
const wantedAfter = (
  outcome: Outgrown,
  { wanted, givenBytes }: { wanted: Wanted; givenBytes: number },
): Wanted =>
  'needsBytes' in outcome && outcome.needsBytes !== undefined
    ? { bytes: outcome.needsBytes * 1.05 + MIN_LIKELY_BYTES, isGuess: false }
    : { bytes: givenBytes * GROWTH, isGuess: wanted.isGuess && givenBytes >= wanted.bytes }

/** The decoder reports a missing file. */
const sizeOf = async (path: string): Promise<number> => (await stat(path).catch(() => null))?.size ?? 0

type Outgrown = Extract<DecodeOutcome, { step: 'outgrown' | 'failed' }>

const isOutgrown = (outcome: DecodeOutcome): outcome is Outgrown =>
  outcome.step === 'outgrown' || (outcome.step === 'failed' && outcome.code === 'outgrown')

const isReusable = (outcome: DecodeOutcome): outcome is DecoderReport =>
  isReport(outcome) && !(outcome.step === 'failed' && STOPPED_EARLY.has(outcome.code))

type Decoded = {
  outcome: Extract<DecodeOutcome, { step: 'decoded' }>
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

const FAILURE_CODES: Record<Exclude<DecodeErrorCode, 'outgrown'>, DecodeFailure['code']> = {
  damaged: 'undecodable_audio',
  refused: 'undecodable_audio',
  unsupported: 'undecodable_audio',
  audio_too_long: 'audio_too_long',
  decoder_missing: 'decoder_missing',
  disk_full: 'disk_full',
}

const ABORTED: DecodeFailure = { code: 'aborted', message: 'Decoding was cancelled.' }

function describe(outcome: Exclude<DecodeOutcome, { step: 'decoded' } | Outgrown>): DecodeFailure {
  if (outcome.step === 'aborted') return ABORTED
  if (outcome.step === 'timeout')
    return {
      code: 'decode_timeout',
      message: 'The recording took too long to decode, so decoding was stopped. It is probably damaged.',
    }
  if (outcome.step === 'crashed')
    return { code: 'decoder_crashed', message: 'The decoder crashed. The recording is probably damaged.' }
  const { code, message } = outcome
  return { code: FAILURE_CODES[code], message }
}
