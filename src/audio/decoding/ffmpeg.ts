// Decodes everything else (AAC, ALAC, AIFF, CAF, ADPCM, AVI, MPEG-TS, …) with FFmpeg in WebAssembly.
// The package is optional (GPL); without it this says how to install it. Runs only in the decoder process.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ByteSource } from './byte-source.ts'
import { DecodeError, NO_SOUND_TRACK } from './decode-error.ts'
import type { PcmSink } from './pcm-sink.ts'
import { OUTPUT_RATE } from './resampler.ts'

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
  setLogger(logger: (line: { message: string }) => void): void
  FS: {
    create(path: string): { usedBytes: number; stream_ops: StreamOps }
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
 * @returns null when the package is not installed
 */
export async function compileFfmpeg(): Promise<MakeFfmpeg | null> {
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
    return null
  }
}

export const missingFfmpeg = (format: string): DecodeError =>
  new DecodeError(
    'decoder_missing',
    `This recording's format (${format.toUpperCase()}) needs an optional decoder that is not installed. Run "${FFMPEG_INSTALL}" in the folder of this program and restart it, or send WAV, MP3, FLAC, Ogg or WebM.`,
  )

export function decodeWithFfmpeg(ffmpeg: FfmpegCore, source: ByteSource, sink: PcmSink): void {
  mountInput(ffmpeg, source)
  const output = mountOutput(ffmpeg, sink)
  const complaints = followComplaints(ffmpeg)
  const toMono = ['-ac', '1', '-ar', `${OUTPUT_RATE}`, '-f', 'f32le', OUTPUT]
  // Timestamps with holes or jumps would stretch or drop sound: samples are taken as they come.
  ffmpeg.exec('-v', 'error', '-i', INPUT, '-map', '0:a:0', '-af', RESAMPLE, ...toMono)
  if (output.error !== null) throw output.error
  if (sink.samples() > 0) return
  if (complaints.has('no sound')) throw new DecodeError('unsupported', NO_SOUND_TRACK)
  if (complaints.has('unknown codec')) throw new DecodeError('unsupported', UNKNOWN_CODEC)
}

const UNKNOWN_CODEC =
  'The sound of this file is in a codec that cannot be decoded. Convert it to WAV, MP3 or FLAC and send that.'

type Complaint = 'no sound' | 'unknown codec'

/** What FFmpeg says of a file that nothing came out of. */
function followComplaints(ffmpeg: FfmpegCore): ReadonlySet<Complaint> {
  const complaints = new Set<Complaint>()
  ffmpeg.setLogger(({ message }) => {
    if (message.includes('matches no streams')) complaints.add('no sound')
    else if (/^(Decoder \(codec|Unknown decoder|No decoder)/.test(message)) complaints.add('unknown codec')
  })
  return complaints
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

/** Samples leave as they are made, for the same reason; the sink may end the run by throwing. */
function mountOutput({ FS }: FfmpegCore, sink: PcmSink): { error: unknown } {
  const outcome: { error: unknown } = { error: null }
  const device = FS.makedev(64, 0)
  FS.registerDevice(device, {
    write: (_stream, memory, at, length) => {
      // The module's memory moves when it grows, and floats must be aligned: copied out.
      const bytes = memory.slice(at, at + length)
      try {
        sink.push([new Float32Array(bytes.buffer, 0, Math.floor(bytes.length / 4))], OUTPUT_RATE)
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
