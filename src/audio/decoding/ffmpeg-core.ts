// Loads FFmpeg in WebAssembly from an optional package (GPL), or reports how to install it.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { DecodeError } from './decode-error.ts'

const FFMPEG_PACKAGE = '@ffmpeg/core'
const FFMPEG_INSTALL = `npm install ${FFMPEG_PACKAGE}@0.12.10`

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
export async function compileFfmpeg(): Promise<MakeFfmpeg | null> {
  // The package assumes a browser worker and reads the URL it was loaded from.
  Object.assign(globalThis, { self: { location: { href: 'file:///decoder' } } })
  try {
    const { default: create } = await import(FFMPEG_PACKAGE)
    const binary = readFileSync(fileURLToPath(import.meta.resolve(`${FFMPEG_PACKAGE}/wasm`)))
    const compiled = await WebAssembly.compile(binary)
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

export const missingFfmpeg = (format: string): DecodeError =>
  new DecodeError(
    'decoder_missing',
    `This recording's format (${format.toUpperCase()}) needs an optional decoder that is not installed. Run "${FFMPEG_INSTALL}" in the folder of this program and restart it, or send WAV, MP3, FLAC, Ogg or WebM.`,
  )
