// Loads FFmpeg in WebAssembly (GPL), which is optional, or reports how to install it, and reads what it says about
// a recording's tracks.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { IN_EXECUTABLE, ownFile } from '../../lib/own-files.ts'
import type { AudioTrack } from './audio-track.ts'
import { DecodeError } from './decode-error.ts'

const FFMPEG_PACKAGE = '@ffmpeg/core'

/** The part of Emscripten's file system that is used here; the package has no types. */
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

/**
 * Creates a fresh instance, because malformed bytes may have corrupted the memory of the last one. Takes some 20 ms.
 */
export type MakeFfmpeg = () => Promise<FfmpegCore>

/**
 * Compiles FFmpeg, which takes a second.
 * @returns null if the package is not installed
 */
export async function compileFfmpeg(decodersFolder: string | null): Promise<MakeFfmpeg | null> {
  // The package assumes a browser worker and reads the URL it was loaded from.
  Object.assign(globalThis, { self: { location: { href: 'file:///decoder' } } })
  try {
    const found = findFfmpeg(decodersFolder)
    if (found === null) return null
    const { default: create } = await import(found.script)
    const compiled = await WebAssembly.compile(readFileSync(found.binary))
    // Emscripten's hook for a module that is already compiled.
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

/** Null, or an error MODULE_NOT_FOUND, if it is not installed. */
function findFfmpeg(decodersFolder: string | null): { script: string; binary: string } | null {
  const script = join(decodersFolder ?? '', 'ffmpeg-core.js')
  if (decodersFolder !== null && existsSync(script))
    return { script, binary: join(decodersFolder, 'ffmpeg-core.wasm') }
  if (IN_EXECUTABLE) return null
  const inPackage = `node_modules/${FFMPEG_PACKAGE}`
  return { script: ownFile(inPackage), binary: ownFile(`${inPackage}/wasm`) }
}

export const missingFfmpeg = (format: string): DecodeError =>
  new DecodeError(
    'decoder_missing',
    `This recording's format (${format.toUpperCase()}) needs an optional decoder that is not installed. Run "dictation decoder install", or send WAV, MP3, FLAC, Ogg or WebM.`,
  )

/** Times are seconds of the container's clock. */
export type Probed = {
  tracks: AudioTrack[]
  /** the first timestamp of any track */
  start: number
  /** null if there is no video */
  videoEnd: number | null
  /** as the container declares them; null selects the first track */
  timesOf(track: AudioTrack | null): { start: number; end: number | null }
}

/** ffprobe's output: numbers as strings, unknown values missing. */
type ProbedStream = {
  index: number
  codec_type?: string
  start_time?: string
  duration?: string
  disposition?: { default?: number; attached_pic?: number }
  tags?: { language?: string; title?: string }
}
type ProbedFile = { streams: ProbedStream[]; format: { start_time?: string; duration?: string } }

const PROBED = '/probed.json'
const ENTRIES = [
  'stream=index,codec_type,start_time,duration',
  'stream_disposition=default,attached_pic',
  'stream_tags=language,title',
  'format=start_time,duration',
].join(':')

/** @param input path at which the recording is mounted */
export function probe(ffmpeg: FfmpegCore, input: string): Probed {
  ffmpeg.setLogger(() => {})
  ffmpeg.ffprobe('-v', 'quiet', '-show_entries', ENTRIES, '-of', 'json', '-i', input, '-o', PROBED)
  const { streams, format } = readProbed(ffmpeg)
  const sounds = streams.filter(({ codec_type: type }) => type === 'audio')
  const start = secondsOf(format.start_time) ?? 0
  const duration = secondsOf(format.duration)
  return {
    tracks: sounds.map(trackOf),
    start,
    videoEnd: duration !== null && streams.some(isVideo) ? start + duration : null,
    timesOf(track) {
      const sound = sounds.find(({ index }) => index === track?.id) ?? sounds[0]
      const begin = secondsOf(sound?.start_time) ?? start
      const length = secondsOf(sound?.duration)
      return { start: begin, end: length === null ? null : begin + length }
    },
  }
}

/** Empty for a recording that FFmpeg cannot read. */
function readProbed({ FS }: FfmpegCore): ProbedFile {
  try {
    const { streams = [], format = {} } = JSON.parse(new TextDecoder().decode(FS.readFile(PROBED)))
    return { streams, format }
  } catch {
    return { streams: [], format: {} }
  }
}

const trackOf = ({ index, disposition, tags }: ProbedStream): AudioTrack => ({
  id: index,
  isDefault: disposition?.default === 1,
  language: tags?.language ?? null,
  title: tags?.title ?? null,
})

/** A cover image is a video stream, too, with one picture. */
const isVideo = ({ codec_type: type, disposition }: ProbedStream): boolean =>
  type === 'video' && disposition?.attached_pic !== 1

function secondsOf(text: string | undefined): number | null {
  const seconds = Number(text)
  return Number.isFinite(seconds) ? seconds : null
}
