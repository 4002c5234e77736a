// Decodes all other formats (AAC, ALAC, AIFF, CAF, ADPCM, AVI, MPEG-TS, …) with FFmpeg in WebAssembly.

import type { OpenedRecording } from './audio-track.ts'
import type { ByteSource } from './byte-source.ts'
import { DecodeError, NO_SOUND_TRACK } from './decode-error.ts'
import { type FfmpegCore, probe } from './ffmpeg-core.ts'
import { createOutputReader, OUTPUT_FORMAT } from './ffmpeg-output.ts'
import { videoEnd } from './matroska.ts'
import type { PcmSink } from './pcm-sink.ts'
import { OUTPUT_RATE } from './resampler.ts'
import { startOfTimeline } from './timeline.ts'

const INPUT = '/input'
const OUTPUT = '/output'
/** The default resampler has −26 dB of aliasing; with these settings −91 dB. */
const RESAMPLE = `aresample=${OUTPUT_RATE}:filter_size=64:cutoff=0.97`

/** @param format the format of the AudioKind */
export async function openWithFfmpeg(
  make: () => Promise<FfmpegCore>,
  source: ByteSource,
  format: string,
): Promise<OpenedRecording> {
  const probing = await make()
  mountInput(probing, source)
  const probed = probe(probing, INPUT)
  const isAbsolute = STARTS_AT_ZERO.has(format) && startOfTimeline(probed.start) === 0
  const origin = isAbsolute ? 0 : probed.start
  let next: FfmpegCore | null = probing
  return {
    tracks: probed.tracks,
    async decode(sink, track) {
      const ffmpeg = next ?? (await make())
      if (next === null) mountInput(ffmpeg, source)
      next = null
      const { start, end } = probed.timesOf(track)
      const beginsAt = DISCONTINUOUS.has(format) ? start - origin : 0
      decodeWithFfmpeg(ffmpeg, sink, { map: `0:${track?.id ?? 'a:0'}`, isAbsolute, beginsAt })
      // A truncated recording ends before the declared end.
      const isWhole = end !== null && sink.reached() > end - origin - END_TOLERANCE_SECONDS
      if (MATROSKA.has(format)) sink.lastUntil(videoEnd(source))
      else if (isWhole && probed.videoEnd !== null) sink.lastUntil(probed.videoEnd - origin)
    },
  }
}

const MATROSKA = new Set(['webm', 'matroska'])
/** Timestamps of these formats count from 0; in others they start anywhere, and the first one is the beginning. */
const STARTS_AT_ZERO = new Set(['mp4', 'mov', '3gp', ...MATROSKA])
/** For these formats FFmpeg counts from the beginning of the track, and skips jumps. */
const DISCONTINUOUS = new Set(['mpegts', 'mpegps'])
/** A decoder may stop this long before the declared end. */
const END_TOLERANCE_SECONDS = 1

type Run = { map: string; isAbsolute: boolean; beginsAt: number }

function decodeWithFfmpeg(ffmpeg: FfmpegCore, sink: PcmSink, { map, isAbsolute, beginsAt }: Run): void {
  const output = mountOutput(ffmpeg, createOutputReader(sink, beginsAt))
  const problems = followMessages(ffmpeg)
  const input = [
    ...(isAbsolute ? ['-copyts'] : []),
    '-i',
    INPUT,
    '-map_metadata',
    '-1',
    '-map_chapters',
    '-1',
  ]
  ffmpeg.exec('-v', 'error', ...input, '-map', map, '-af', RESAMPLE, ...OUTPUT_FORMAT, OUTPUT)
  if (output.error !== null) throw output.error
  if (sink.samples() > 0) return
  if (problems.has('no sound')) throw new DecodeError('unsupported', NO_SOUND_TRACK)
  if (problems.has('unknown codec')) throw new DecodeError('unsupported', UNKNOWN_CODEC)
}

const UNKNOWN_CODEC =
  'The sound of this file is in a codec that cannot be decoded. Convert it to WAV, MP3 or FLAC and send that.'

type Problem = 'no sound' | 'unknown codec'

/** Collects the messages that explain why FFmpeg produced no output. */
function followMessages(ffmpeg: FfmpegCore): ReadonlySet<Problem> {
  const problems = new Set<Problem>()
  ffmpeg.setLogger(({ message }) => {
    if (message.includes('matches no streams')) problems.add('no sound')
    else if (/^(Decoder \(codec|Unknown decoder|No decoder)/.test(message)) problems.add('unknown codec')
  })
  return problems
}

/** FFmpeg reads the file in place; a long one would not fit into the module's memory. */
function mountInput({ FS }: FfmpegCore, source: ByteSource): void {
  const node = FS.create(INPUT)
  node.usedBytes = source.size
  node.stream_ops = {
    ...node.stream_ops,
    llseek: (stream, offset, whence) => {
      const base = [0, stream.position, source.size][whence] ?? 0
      return Math.max(0, base + offset)
    },
    read: (_stream, memory, at, length, position) => {
      const bytes = source.read(position, length)
      memory.set(bytes, at)
      return bytes.length
    },
  }
}

/** Passes the output on while FFmpeg writes it, for the same reason. The reader may throw to end the run. */
function mountOutput({ FS }: FfmpegCore, read: (bytes: Uint8Array) => void): { error: unknown } {
  const outcome: { error: unknown } = { error: null }
  const device = FS.makedev(64, 0)
  FS.registerDevice(device, {
    write: (_stream, memory, at, length) => {
      try {
        read(memory.subarray(at, at + length))
      } catch (error) {
        outcome.error = error
        throw error
      }
      return length
    },
  })
  FS.mkdev(OUTPUT, device)
  return outcome
}
