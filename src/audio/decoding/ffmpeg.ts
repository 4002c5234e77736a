// Decodes everything else (AAC, ALAC, AIFF, CAF, ADPCM, AVI, MPEG-TS, …) with FFmpeg in WebAssembly.
// What it writes is read by ffmpeg-output.ts.
// The package is optional (GPL); without it this says how to install it. Runs only in the decoder process.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ByteSource } from './byte-source.ts'
import { DecodeError } from './decode-error.ts'
import { createOutputReader, OUTPUT_FORMAT } from './ffmpeg-output.ts'
import { probe } from './ffmpeg-probe.ts'
import { videoEnd } from './matroska.ts'
import type { PcmSink } from './pcm-sink.ts'
import { OUTPUT_RATE } from './resampler.ts'
import type { OpenedRecording } from './sound-track.ts'
import { startOfTimeline } from './timeline.ts'

const FFMPEG_PACKAGE = '@ffmpeg/core'
const FFMPEG_INSTALL = `npm install ${FFMPEG_PACKAGE}@0.12.10`

/** What is used of Emscripten's file system, which the package does not describe. */
type StreamOps = {
  llseek?(stream: { position: number }, offset: number, whence: number): number
  read?(stream: object, memory: Uint8Array, at: number, length: number, position: number): number
  write?(stream: object, memory: Uint8Array, at: number, length: number): number
}
export type FfmpegCore = {
  exec(...options: string[]): number
  ffprobe(...options: string[]): number
  setLogger(logger: (line: { message: string }) => void): void
  FS: {
    create(path: string): { usedBytes: number; stream_ops: StreamOps }
    readFile(path: string): Uint8Array
    makedev(major: number, minor: number): number
    registerDevice(device: number, operations: StreamOps): void
    mkdev(path: string, device: number): void
  }
}

const INPUT = '/input'
const OUTPUT = '/output'
/** The resampler's default aliases at −26 dB; so set, at −91 dB. */
const RESAMPLE = `aresample=${OUTPUT_RATE}:filter_size=64:cutoff=0.97`

/** Makes one that nobody has used: hostile bytes may have spoilt the last one's memory. Takes some 20 ms. */
export type MakeFfmpeg = () => Promise<FfmpegCore>

/**
 * Compiles it, which takes a second.
 * @throws DecodeError `decoder_missing` when the package is not installed
 */
export async function compileFfmpeg(): Promise<MakeFfmpeg> {
  // It believes itself to be in a browser's worker and asks where it was loaded from.
  Object.assign(globalThis, { self: { location: { href: 'file:///decoder' } } })
  try {
    const { default: create } = await import(FFMPEG_PACKAGE)
    const binary = readFileSync(fileURLToPath(import.meta.resolve(`${FFMPEG_PACKAGE}/wasm`)))
    const compiled = await WebAssembly.compile(binary)
    // Emscripten's own hook for a module that is compiled already.
    const instantiateWasm = (
      imports: WebAssembly.Imports,
      done: (instance: WebAssembly.Instance) => void,
    ) => {
      const instance = new WebAssembly.Instance(compiled, imports)
      done(instance)
      return instance.exports
    }
    return () => create({ instantiateWasm })
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND' && code !== 'ENOENT') throw error
    throw missingFfmpeg()
  }
}

export const missingFfmpeg = (): DecodeError =>
  new DecodeError(
    'decoder_missing',
    `This recording's format needs an optional decoder that is not installed. Run "${FFMPEG_INSTALL}" in the folder of this program and restart it, or send WAV, MP3, FLAC, Ogg or WebM.`,
  )

/** @param format AudioKind's */
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
      // What is cut off ends before the container says so.
      const isWhole = end !== null && sink.reached() > end - origin - END_TOLERANCE_SECONDS
      if (MATROSKA.has(format)) sink.lastUntil(videoEnd(source))
      else if (isWhole && probed.videoEnd !== null) sink.lastUntil(probed.videoEnd - origin)
    },
  }
}

const MATROSKA = new Set(['webm', 'matroska'])
/** Timestamps of these count from the beginning; those of others from anywhere, and the first one is the beginning. */
const STARTS_AT_ZERO = new Set(['mp4', 'mov', '3gp', ...MATROSKA])
/** Of these FFmpeg counts from where the track begins, and passes over jumps. */
const DISCONTINUOUS = new Set(['mpegts', 'mpegps'])
/** A decoder may stop this much before the end that the container tells. */
const END_TOLERANCE_SECONDS = 1

type Run = { map: string; isAbsolute: boolean; beginsAt: number }

function decodeWithFfmpeg(ffmpeg: FfmpegCore, sink: PcmSink, { map, isAbsolute, beginsAt }: Run): void {
  const output = mountOutput(ffmpeg, createOutputReader(sink, beginsAt))
  ffmpeg.setLogger(() => {})
  const input = [
    ...(isAbsolute ? ['-copyts'] : []),
    '-i',
    INPUT,
    '-map_metadata',
    '-1',
    '-map_chapters',
    '-1',
  ]
  ffmpeg.exec('-v', 'quiet', ...input, '-map', map, '-af', RESAMPLE, ...OUTPUT_FORMAT, OUTPUT)
  if (output.error !== null) throw output.error
}

/** The file is read where it lies; copied into the module's memory, a long one would not fit. */
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

/** What it writes leaves as it is made, for the same reason; the reader may end the run by throwing. */
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
