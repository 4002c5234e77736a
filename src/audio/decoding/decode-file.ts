// Chooses the decoder for a recording and gives it a second chance with FFmpeg when the first finds nothing.
// Runs inside the decoder process.

import { renameSync, rmSync } from 'node:fs'
import { type ByteSource, openByteSource } from './byte-source.ts'
import { declaredLength } from './declared-length.ts'
import { DecodeError, type DecodeErrorCode } from './decode-error.ts'
import { type DecodeTask, secondPath } from './decode-task.ts'
import { decodeWithFfmpeg, type FfmpegCore, missingFfmpeg } from './ffmpeg.ts'
import { decodeFlac, type FlacDecoders } from './flac.ts'
import { decodeMatroska } from './matroska.ts'
import { decodeMp3 } from './mp3.ts'
import { decodeOgg } from './ogg.ts'
import { createPcmSink, type PcmSink, tooLong } from './pcm-sink.ts'
import { OUTPUT_RATE, type Speex } from './resampler.ts'
import { decodeAu, decodeWav } from './wav.ts'

export type DecodeTools = {
  speex: Speex
  flac: FlacDecoders
  /** compiles it at the first call; throws DecodeError `decoder_missing` */
  ffmpeg(): Promise<FfmpegCore>
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

type Attempt = { path: string; samples: number; error: DecodeError | null }

/** Errors that another decoder would not change. */
const FINAL = new Set<DecodeErrorCode>(['refused', 'audio_too_long', 'disk_full'])

/**
 * Writes the recording's samples to `outputPath`.
 * @returns how many
 * @throws DecodeError when there is nothing to hear; the output file may be left behind
 */
export async function decodeFile(task: DecodeTask, tools: DecodeTools): Promise<number> {
  checkDeclared(task)
  const decode = DECODERS[task.format]
  if (decode === undefined) return audible(await attemptFfmpeg(task, tools, task.outputPath))
  const first = await attempt(task, tools, task.outputPath, decode)
  if (first.error === null && first.samples > 0) return first.samples
  if (first.error !== null && FINAL.has(first.error.code)) throw first.error
  if (UNCOMPRESSED.has(task.format) && first.error?.code !== 'unsupported') return audible(first)
  const second = await attemptFfmpeg(task, tools, secondPath(task.outputPath))
  const better = second.samples > first.samples
  if (better) renameSync(second.path, first.path)
  else rmSync(second.path, { force: true })
  if (better || second.error === null || second.error.code !== 'decoder_missing')
    return audible(better ? second : { ...first, error: first.error ?? second.error })
  // Damaged files stay what they are; only a codec that the first decoder lacks is worth an installation.
  return audible(first.error?.code === 'unsupported' ? { ...first, error: second.error } : first)
}

/** Before the first sample is written. A length that proves wrong is counted on the way. */
function checkDeclared({ path, format, maxAudioSeconds, roomBytes }: DecodeTask): void {
  const source = openByteSource(path)
  try {
    const declared = declaredLength(source, format)
    if (declared === null) return
    if (declared.isExact && declared.seconds > maxAudioSeconds) throw tooLong(maxAudioSeconds)
    const needsBytes = declared.seconds * OUTPUT_RATE * Float32Array.BYTES_PER_ELEMENT
    if (needsBytes > roomBytes)
      throw new DecodeError('outgrown', 'The recording needs more room than it was given.', needsBytes)
  } finally {
    source.close()
  }
}

async function attemptFfmpeg(task: DecodeTask, tools: DecodeTools, outputPath: string): Promise<Attempt> {
  return await attempt(task, tools, outputPath, async (source, sink) => {
    if (!task.optionalDecoder) throw missingFfmpeg()
    decodeWithFfmpeg(await tools.ffmpeg(), source, sink)
  })
}

/** What was decoded before an error is kept: the beginning of a damaged recording is worth having. */
async function attempt(
  task: DecodeTask,
  tools: DecodeTools,
  outputPath: string,
  decode: Decode,
): Promise<Attempt> {
  const source = openByteSource(task.path)
  const sink = createPcmSink(tools.speex, outputPath, task.maxAudioSeconds)
  let error: DecodeError | null = null
  try {
    await decode(source, sink, tools)
  } catch (thrown) {
    error = asDecodeError(thrown)
  }
  try {
    if (error === null || !FINAL.has(error.code)) sink.finish()
  } catch (thrown) {
    error = asDecodeError(thrown)
  }
  sink.close()
  source.close()
  return { path: outputPath, samples: sink.samples(), error }
}

/** A decoder that trips over hostile bytes throws whatever it likes. */
function asDecodeError(thrown: unknown): DecodeError {
  if (thrown instanceof DecodeError) return thrown
  return new DecodeError('damaged', 'The recording is damaged.')
}

function audible({ samples, error }: Attempt): number {
  if (error !== null && (FINAL.has(error.code) || samples === 0)) throw error
  if (samples === 0) throw new DecodeError('damaged', 'The recording holds no sound.')
  return samples
}
