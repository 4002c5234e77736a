// Chooses the decoder for a recording and gives it a second chance with FFmpeg when the first finds nothing.
// Runs inside the decoder process.

import { renameSync, rmSync } from 'node:fs'
import { sniffFile } from '../sniff-file.ts'
import { type ByteSource, openByteSource } from './byte-source.ts'
import { DecodeError, type DecodeErrorCode } from './decode-error.ts'
import { type DecodeTask, secondPath } from './decode-task.ts'
import { decodeWithFfmpeg, type FfmpegCore, missingFfmpeg } from './ffmpeg.ts'
import { decodeFlac, type FlacDecoders } from './flac.ts'
import { decodeMatroska } from './matroska.ts'
import { decodeMp3 } from './mp3.ts'
import { isProtectedMp4 } from './mp4-protection.ts'
import { decodeOgg } from './ogg.ts'
import { createPcmSink, type PcmSink } from './pcm-sink.ts'
import { OUTPUT_RATE, type Speex } from './resampler.ts'
import { isScrap } from './scrap.ts'
import { decodeAu, decodeWav } from './wav.ts'

export type DecodeTools = {
  speex: Speex
  flac: FlacDecoders
  /** compiles it at the first call; null when it is not installed */
  ffmpeg(): Promise<FfmpegCore | null>
}

type Decode = (source: ByteSource, sink: PcmSink, tools: DecodeTools) => void | Promise<void>

/** Permissively licensed; what is not here is FFmpeg's alone. */
const DECODERS: Record<string, Decode> = {
  wav: decodeWav,
  au: decodeAu,
  mp3: decodeMp3,
  flac: decodeFlac,
  ogg: decodeOgg,
  webm: decodeMatroska,
  matroska: decodeMatroska,
}

/** Where our own reader finds nothing here, there is nothing. */
const UNCOMPRESSED = new Set(['wav', 'au'])

/** Files of QuickTime's family. */
const MP4 = new Set(['mp4', 'mov', '3gp'])

/** `isScrap`: far less sound than the file must hold. */
type Attempt = { path: string; format: string; samples: number; isScrap: boolean; error: DecodeError | null }

/** A scrap shorter than this is no recording: nothing that was said is in it. */
const LEAST_SAMPLES = OUTPUT_RATE / 2

/** Errors that another decoder would not change. */
const FINAL = new Set<DecodeErrorCode>(['refused', 'audio_too_long', 'disk_full'])

/**
 * Writes the recording's samples to `outputPath`.
 * @returns how many
 * @throws DecodeError when there is nothing to hear; the output file may be left behind
 */
export async function decodeFile(task: DecodeTask, tools: DecodeTools): Promise<number> {
  const decode = DECODERS[task.format]
  if (decode === undefined) return audible(await attemptFfmpeg(task, tools, task.outputPath))
  const first = await attempt(task, tools, task.outputPath, decode)
  if (first.error === null && first.samples > 0 && !first.isScrap) return first.samples
  if (first.error !== null && FINAL.has(first.error.code)) throw first.error
  if (UNCOMPRESSED.has(task.format) && first.error?.code !== 'unsupported') return audible(first)
  const second = await attemptFfmpeg(task, tools, secondPath(task.outputPath))
  const better = second.samples > first.samples
  if (better) renameSync(second.path, first.path)
  else rmSync(second.path, { force: true })
  if (better) return audible(second)
  // Damaged files stay what they are; only a codec that the first decoder lacks is worth an installation.
  const isMissing = second.error?.code === 'decoder_missing' && first.error?.code !== 'unsupported'
  if (isMissing && !first.isScrap) return audible(first)
  const knowsMore = second.error !== null && second.error.code !== 'damaged'
  return audible({ ...first, error: knowsMore ? second.error : (first.error ?? second.error) })
}

async function attemptFfmpeg(task: DecodeTask, tools: DecodeTools, outputPath: string): Promise<Attempt> {
  return await attempt(task, tools, outputPath, async (source, sink) => {
    if (MP4.has(task.format) && isProtectedMp4(source)) throw new DecodeError('refused', PROTECTED)
    const ffmpeg = task.optionalDecoder ? await tools.ffmpeg() : null
    if (ffmpeg === null) throw missingFfmpeg(task.format)
    decodeWithFfmpeg(ffmpeg, source, sink)
  })
}

/** What was decoded before an error is kept: the beginning of a damaged recording is worth having. */
async function attempt(
  task: DecodeTask,
  tools: DecodeTools,
  outputPath: string,
  decode: Decode,
): Promise<Attempt> {
  const source = openByteSource(task.path, sniffFile(task.path)?.at ?? 0)
  const sink = createPcmSink(tools.speex, outputPath, task.maxAudioSeconds)
  let error: DecodeError | null = null
  try {
    await decode(source, sink, tools)
  } catch (thrown) {
    error = asDecodeError(thrown, task.format)
  }
  try {
    if (error === null || !FINAL.has(error.code)) sink.finish()
  } catch (thrown) {
    error = asDecodeError(thrown, task.format)
  }
  sink.close()
  source.close()
  const samples = sink.samples()
  const { format } = task
  return { path: outputPath, format, samples, isScrap: isScrap(format, source.size, samples), error }
}

const PROTECTED = 'The sound of this file is encrypted and cannot be decoded. Send a copy without protection.'

/** A decoder that trips over hostile bytes throws whatever it likes. */
function asDecodeError(thrown: unknown, format: string): DecodeError {
  return thrown instanceof DecodeError ? thrown : new DecodeError('damaged', describeDamage(format))
}

const describeDamage = (format: string): string =>
  `No sound can be decoded from this recording (${format.toUpperCase()}); it is probably damaged. Convert it to WAV, MP3 or FLAC and send that.`

function audible({ format, samples, isScrap, error }: Attempt): number {
  if (error !== null && (FINAL.has(error.code) || samples === 0)) throw error
  if (samples === 0) throw new DecodeError('damaged', describeDamage(format))
  if (!isScrap || samples >= LEAST_SAMPLES) return samples
  throw error === null || error.code === 'damaged'
    ? new DecodeError('damaged', describeScrap(samples))
    : error
}

const describeScrap = (samples: number): string =>
  `Only ${(samples / OUTPUT_RATE).toFixed(1)} seconds of sound were found in this file, far less than its size tells; it is probably damaged. Convert it to WAV, MP3 or FLAC and send that.`
