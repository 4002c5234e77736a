// Loads shout (whisper.cpp as WebAssembly) and wraps its calls in types and promises. Only for a process that may be killed.

import { prepareForShout } from './browser-environment.ts'

export const SHOUT_VERSION = '1.0.4'

/** Its memory is limited to 2 GiB, and whisper.cpp needs memory besides the weights. */
export const SHOUT_MAX_MODEL_BYTES = 1_650_000_000

/** Times in milliseconds from the first sample. */
export type ShoutToken = { id: number; p: number; offsets: { from: number; to: number } }

export type ShoutSegment = { offsets: { from: number; to: number }; tokens: ShoutToken[] }

export type ShoutResult = { result: { language: string }; transcription: ShoutSegment[] }

export type ShoutRequest = {
  /** 16 kHz mono, at least a second: whisper.cpp ignores anything shorter */
  samples: Float32Array
  /** ISO 639-1 or `auto` */
  language: string
  translate: boolean
  threads: number
  onProgress: (percent: number) => void
  onSegment: (segment: ShoutSegment) => void
}

export type Shout = {
  /** takes ownership of the bytes and closes the previous model; throws if whisper.cpp cannot load them */
  openModel(bytes: Uint8Array): void
  /** one call at a time; only killing the process stops it */
  transcribe(request: ShoutRequest): Promise<ShoutResult>
}

type ShoutModule = {
  init(file: string, dtwPreset: string): void
  free(): void
  transcribe(
    samples: Float32Array,
    language: string,
    threads: number,
    translate: boolean,
    maxSegmentLength: number,
    splitOnWord: boolean,
    suppressNonSpeech: boolean,
    tokenTimestamps: boolean,
  ): number
  FS_createDataFile(
    folder: string,
    name: string,
    bytes: Uint8Array,
    canRead: boolean,
    canWrite: boolean,
    canOwn: boolean,
  ): void
  FS_unlink(path: string): void
}

const MODEL_FILE = 'model.bin'

/** whisper.cpp's last line of output when a model is loaded; `init` itself returns nothing. */
const READY_LINE = 'compute buffer (decode)'

/** @throws if this Bun cannot instantiate the module */
export const loadShout = async (): Promise<Shout> => {
  prepareForShout()
  const { default: createModule } = await import('@transcribe/shout')
  let lines: string[] = []
  let current: ShoutRequest | null = null
  let finish: (result: ShoutResult) => void = () => {}
  const module: ShoutModule = await createModule({
    print: () => {},
    printErr: (line: string) => lines.push(line),
    onProgress: (percent: number) => current?.onProgress(percent),
    onNewSegment: ({ segment }: { segment: ShoutSegment }) => current?.onSegment(segment),
    onTranscribed: (result: ShoutResult) => finish(result),
  })

  const openModel = (bytes: Uint8Array) => {
    module.free()
    lines = []
    module.FS_createDataFile('/', MODEL_FILE, bytes, true, true, true)
    try {
      module.init(MODEL_FILE, '')
    } finally {
      module.FS_unlink(`/${MODEL_FILE}`)
    }
    if (!lines.some((line) => line.includes(READY_LINE))) {
      throw new Error(lines.at(-1) ?? 'whisper.cpp reported no reason')
    }
  }

  const transcribe = (request: ShoutRequest) =>
    new Promise<ShoutResult>((resolve, reject) => {
      lines = []
      current = request
      finish = resolve
      const { samples, language, threads, translate } = request
      // no limit on a segment's length, captions stay (transcription/ handles them), with token times
      const code = module.transcribe(samples, language, threads, translate, 0, false, false, true)
      if (code !== 0) reject(new Error(`shout refused the audio with code ${code}`))
    })

  return { openModel, transcribe }
}
