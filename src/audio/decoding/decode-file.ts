// Chooses the decoder for a recording, and tries FFmpeg if the first decoder finds nothing.

import { renameSync, rmSync } from 'node:fs'
import type { Warning } from '../../lib/warning.ts'
import { sniffFile } from '../sniff.ts'
import type { SpeechModel } from '../speech-model.ts'
import {
  type AudioTrack,
  byPreference,
  holdsSpeech,
  type OpenedRecording,
  otherTracks,
} from './audio-track.ts'
import { type ByteSource, openByteSource } from './byte-source.ts'
import { declaredLength, isImplausiblyShort } from './declared-length.ts'
import { DecodeError, type DecodeErrorCode } from './decode-error.ts'
import { type DecodeTask, secondPath, trialPath } from './decode-task.ts'
import { openWithFfmpeg } from './ffmpeg.ts'
import { type FfmpegCore, missingFfmpeg } from './ffmpeg-core.ts'
import { decodeFlac, type FlacDecoders } from './flac.ts'
import { openMatroska } from './matroska.ts'
import { decodeMp3 } from './mp3.ts'
import { isProtectedMp4 } from './mp4-boxes.ts'
import { openOgg } from './ogg.ts'
import { createPcmSink, type PcmSink, tooLong } from './pcm-sink.ts'
import { OUTPUT_RATE, type Speex } from './resampler.ts'
import { decodeAu, decodeWav } from './wav.ts'

export type DecodeTools = {
  speex: Speex
  flac: FlacDecoders
  /** compiled on the first call; null if it is not installed */
  ffmpeg(): Promise<FfmpegCore | null>
  /** for the choice between tracks; loaded on the first call */
  speech(): Promise<SpeechModel>
}

type Open = (source: ByteSource, tools: DecodeTools) => OpenedRecording | Promise<OpenedRecording>

type Decode = (source: ByteSource, sink: PcmSink, tools: DecodeTools) => void | Promise<void>

const single =
  (decode: Decode): Open =>
  (source, tools) => ({ tracks: [], decode: (sink) => decode(source, sink, tools) })

/** Permissively licensed decoders; only FFmpeg handles all other formats. */
const DECODERS: Record<string, Open> = {
  wav: single(decodeWav),
  au: single(decodeAu),
  mp3: single(decodeMp3),
  flac: single(decodeFlac),
  ogg: openOgg,
  webm: openMatroska,
  matroska: openMatroska,
}

/** For these formats another decoder is tried only if the codec is unsupported (compressed WAV). */
const UNCOMPRESSED = new Set(['wav', 'au'])

/** QuickTime files and their relatives. */
const MP4 = new Set(['mp4', 'mov', '3gp'])

/** `startsAt`: the offset in bytes where the audio begins, after tags and other leading bytes. */
type Recording = DecodeTask & { startsAt: number }

/** The fields of a PcmFile. */
export type DecodedFile = { samples: number; playsAlike: boolean; warnings: Warning[] }

type Decoded = DecodedFile & { path: string; format: string; error: DecodeError | null }

/** `isImplausiblyShort`: contains far less audio than the size of the file suggests. */
type Attempt = Decoded & { isImplausiblyShort: boolean }

const NOTHING: DecodedFile = { samples: 0, playsAlike: true, warnings: [] }

/** An implausibly short result with less audio than this contains no words. */
const MIN_SAMPLES = OUTPUT_RATE / 2

/** Errors that no other decoder would avoid. */
const FINAL = new Set<DecodeErrorCode>(['refused', 'audio_too_long', 'disk_full'])

/**
 * Writes the recording's samples to `outputPath`.
 * @returns their number
 * @throws DecodeError if no audio was decoded; the output file may remain
 */
export async function decodeFile(given: DecodeTask, tools: DecodeTools): Promise<DecodedFile> {
  const task: Recording = { ...given, startsAt: sniffFile(given.path)?.at ?? 0 }
  checkDeclared(task)
  const open = DECODERS[task.format]
  if (open === undefined) return audible(await attemptFfmpeg(task, tools, task.outputPath))
  const hasNext = async () => task.optionalDecoder && (await tools.ffmpeg()) !== null
  const first = await attempt(task, tools, { outputPath: task.outputPath, open, hasNext })
  if (first.error === null && first.samples > 0 && !first.isImplausiblyShort) return audible(first)
  if (first.error !== null && FINAL.has(first.error.code)) throw first.error
  if (UNCOMPRESSED.has(task.format) && first.error?.code !== 'unsupported') return audible(first)
  return audible(keepBetter(first, await attemptFfmpeg(task, tools, secondPath(task.outputPath))))
}

/** Keeps the longer result, at the path of the first. If neither is usable, returns the more informative error. */
function keepBetter(first: Attempt, second: Attempt): Attempt {
  if (second.samples > first.samples) {
    renameSync(second.path, first.path)
    return { ...second, path: first.path }
  }
  rmSync(second.path, { force: true })
  if (isUsable(first)) return first
  return { ...first, error: isMoreInformative(first, second.error) ? second.error : first.error }
}

/** A damaged file stays damaged; installing a decoder helps only if the first decoder lacks the codec. */
const isMoreInformative = (first: Attempt, error: DecodeError | null): boolean =>
  error?.code === 'decoder_missing'
    ? first.error?.code === 'unsupported' || first.isImplausiblyShort
    : error !== null && error.code !== 'damaged'

const isUsable = ({ samples, isImplausiblyShort }: Attempt): boolean =>
  samples > 0 && (!isImplausiblyShort || samples >= MIN_SAMPLES)

/** Checks the declared length before the first sample is written. The sink checks the actual length. */
function checkDeclared({ path, startsAt, format, maxAudioSeconds, reservedBytes }: Recording): void {
  const source = openByteSource(path, startsAt)
  try {
    const declared = declaredLength(source, format)
    if (declared === null) return
    if (declared.isExact && declared.seconds > maxAudioSeconds) throw tooLong(maxAudioSeconds)
    const needsBytes = declared.seconds * OUTPUT_RATE * Float32Array.BYTES_PER_ELEMENT
    if (needsBytes > reservedBytes)
      throw new DecodeError(
        'outgrown',
        'The recording needs more space than was reserved for it.',
        needsBytes,
      )
  } finally {
    source.close()
  }
}

async function attemptFfmpeg(task: Recording, tools: DecodeTools, outputPath: string): Promise<Attempt> {
  const make = async () => {
    const ffmpeg = task.optionalDecoder ? await tools.ffmpeg() : null
    if (ffmpeg === null) throw missingFfmpeg(task.format)
    return ffmpeg
  }
  const open: Open = async (source) => {
    if (MP4.has(task.format) && isProtectedMp4(source)) throw new DecodeError('refused', PROTECTED)
    return await openWithFfmpeg(make, source, task.format)
  }
  return await attempt(task, tools, { outputPath, open, hasNext: async () => false })
}

/** `hasNext`: whether another decoder would be tried afterwards. */
type AttemptOf = { outputPath: string; open: Open; hasNext: () => Promise<boolean> }

async function attempt(
  task: Recording,
  tools: DecodeTools,
  { outputPath, open, hasNext }: AttemptOf,
): Promise<Attempt> {
  const source = openByteSource(task.path, task.startsAt)
  try {
    const recording = await open(source, tools)
    const decoded =
      recording.tracks.length <= 1
        ? await decodeTrack(task, tools, { recording, track: null, outputPath })
        : await decodeWithSpeech(task, tools, { recording, hasNext, outputPath })
    return { ...decoded, isImplausiblyShort: isImplausiblyShort(task.format, source.size, decoded.samples) }
  } catch (thrown) {
    const { format } = task
    return {
      ...NOTHING,
      isImplausiblyShort: false,
      path: outputPath,
      format,
      error: asDecodeError(thrown, format),
    }
  } finally {
    source.close()
  }
}

/**
 * Decodes the first track with speech, or the first decodable one if none has speech. A rejected track never appears at
 * outputPath.
 */
async function decodeWithSpeech(
  task: DecodeTask,
  tools: DecodeTools,
  { recording, hasNext, outputPath }: { recording: OpenedRecording } & Omit<AttemptOf, 'open'>,
): Promise<Decoded> {
  const path = trialPath(outputPath)
  let decodable: AudioTrack | null = null
  let failed: DecodeError | null = null
  for (const track of byPreference(recording.tracks)) {
    const attempted = await decodeTrack(task, tools, { recording, track, outputPath: path })
    const isFound = attempted.samples > 0 && (await holdsSpeech(await tools.speech(), attempted))
    if (isFound) renameSync(path, outputPath)
    else rmSync(path, { force: true })
    if (isFound) return { ...attempted, path: outputPath, ...besides(recording, track, attempted) }
    if (attempted.samples > 0) decodable ??= track
    failed ??= attempted.error
    const code = attempted.error?.code
    if (code !== undefined && (FINAL.has(code) || (code === 'unsupported' && (await hasNext()))))
      return { ...attempted, path: outputPath, samples: 0 }
  }
  if (decodable === null) return { ...NOTHING, path: outputPath, format: task.format, error: failed }
  const first = await decodeTrack(task, tools, { recording, track: decodable, outputPath })
  return { ...first, ...besides(recording, decodable, first) }
}

/** A player may choose another track than the transcribed one. */
const besides = (
  { tracks }: OpenedRecording,
  chosen: AudioTrack,
  { warnings }: Decoded,
): Pick<DecodedFile, 'playsAlike' | 'warnings'> => ({
  playsAlike: false,
  warnings: [...warnings, otherTracks(tracks, chosen)],
})

type TrackOf = { recording: OpenedRecording; track: AudioTrack | null; outputPath: string }

/** Keeps what was decoded before an error: the beginning of a damaged recording is useful. */
async function decodeTrack(
  task: DecodeTask,
  tools: DecodeTools,
  { recording, track, outputPath }: TrackOf,
): Promise<Decoded> {
  const sink = createPcmSink(tools.speex, outputPath, task.maxAudioSeconds)
  let error: DecodeError | null = null
  try {
    await recording.decode(sink, track)
  } catch (thrown) {
    error = asDecodeError(thrown, task.format)
  }
  try {
    if (error === null || !FINAL.has(error.code)) sink.finish()
  } catch (thrown) {
    error = asDecodeError(thrown, task.format)
  }
  sink.close()
  const { format } = task
  const samples = sink.samples()
  const warnings = sink.ignoredTime() ? [TIMESTAMP_IGNORED] : []
  return { path: outputPath, format, samples, playsAlike: !sink.hasHoles(), warnings, error }
}

const TIMESTAMP_IGNORED: Warning = {
  code: 'timestamp_ignored',
  message:
    'A timestamp in the recording is beyond the maximum length, so it was ignored. Later times may be too early.',
}

const PROTECTED = 'The sound of this file is encrypted and cannot be decoded. Send a copy without protection.'

/** On malformed bytes a decoder may throw anything. */
function asDecodeError(thrown: unknown, format: string): DecodeError {
  return thrown instanceof DecodeError ? thrown : new DecodeError('damaged', describeDamage(format))
}

const describeDamage = (format: string): string =>
  `No sound can be decoded from this recording (${format.toUpperCase()}); it is probably damaged. Convert it to WAV, MP3 or FLAC and send that.`

function audible(attempt: Attempt): DecodedFile {
  const { format, samples, playsAlike, warnings, error } = attempt
  if (error !== null && (FINAL.has(error.code) || samples === 0)) throw error
  if (samples === 0) throw new DecodeError('damaged', describeDamage(format))
  if (isUsable(attempt)) return { samples, playsAlike, warnings }
  throw error === null || error.code === 'damaged'
    ? new DecodeError('damaged', describeTooShort(samples))
    : error
}

const describeTooShort = (samples: number): string =>
  `Only ${(samples / OUTPUT_RATE).toFixed(1)} s of audio could be decoded, far less than the file's size suggests; the file is probably damaged. Convert it to WAV, MP3 or FLAC and send that.`
