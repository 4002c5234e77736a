// The decoder process: decodes the files that its parent names and reports the result. Only this process parses
// untrusted bytes; it has no secrets, no network code and no database.

import { once } from '../lib/once.ts'
import { serveParent } from '../supervisor/serve-parent.ts'
import type { DecoderAnswer, DecoderEvent, DecoderRequest } from './decoder-messages.ts'
import { compileCodecs } from './decoding/codec-packets.ts'
import { DecodeError } from './decoding/decode-error.ts'
import { decodeFile } from './decoding/decode-file.ts'
import type { DecodeTask } from './decoding/decode-task.ts'
import { compileFfmpeg, type FfmpegCore } from './decoding/ffmpeg-core.ts'
import { createFlacDecoders } from './decoding/flac.ts'
import { createResampler, loadSpeex } from './decoding/resampler.ts'
import { loadSpeechModel, type SpeechModel } from './speech-model.ts'

// Decoders print a message for each damaged piece, one of them endlessly: too many messages end the attempt.
const MAX_COMPLAINTS = 200
let complaints = 0
console.error = () => {
  if (++complaints > MAX_COMPLAINTS) throw new DecodeError('damaged', 'The recording is damaged.')
}

const flac = createFlacDecoders()
const starting = start()

async function start() {
  const [speex] = await Promise.all([loadSpeex(), compileCodecs()])
  // Warm-up: a second of silence compiles the loops that every recording runs through. Saves 15 ms for the first one.
  const warmUp = createResampler(speex, 48_000, () => {})
  warmUp.push(new Float32Array(48_000))
  warmUp.finish()
  flac.makeNext()
  return speex
}

/** Sends an event about the running task. */
let report: (event: DecoderEvent) => void = () => {}

let compiling: ReturnType<typeof compileFfmpeg> | null = null
let usedFfmpeg = false
let decodersFolder: string | null = null
async function ffmpeg(): Promise<FfmpegCore | null> {
  usedFfmpeg = true
  report('loading')
  compiling ??= compileFfmpeg(decodersFolder)
  try {
    const make = await compiling
    // It may be installed before the next recording.
    if (make === null) compiling = null
    return make && (await make())
  } catch (error) {
    // Compilation may succeed for the next recording, for example once memory is free.
    compiling = null
    throw error
  } finally {
    await reportLoaded()
  }
}

const speechModel = once(loadSpeechModel)
async function speech(): Promise<SpeechModel> {
  report('loading')
  try {
    return await speechModel()
  } finally {
    await reportLoaded()
  }
}

/** Decoding blocks this thread, so the event must be sent before it starts. */
async function reportLoaded(): Promise<void> {
  report('loaded')
  await new Promise(setImmediate)
}

async function decode(task: DecodeTask): Promise<DecoderAnswer> {
  complaints = 0
  usedFfmpeg = false
  try {
    const decoded = await decodeFile(task, { speex: await starting, flac, ffmpeg, speech })
    return { step: 'decoded', ...decoded, usedFfmpeg }
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    const { code, message, needsBytes } = error
    return { step: 'failed', code, message, ...(needsBytes !== undefined && { needsBytes }), usedFfmpeg }
  }
}

serveParent<DecoderRequest, DecoderEvent, DecoderAnswer>({
  async answer(request, { emit }) {
    report = emit
    if (request.step === 'decode') return await decode(request.task)
    decodersFolder = request.decodersFolder
    await starting
    // Not awaited: compilation continues during the first recording, which may not need FFmpeg.
    if (request.preloadFfmpeg) compiling = compileFfmpeg(decodersFolder)
    // The recording that needs an absent package reports it.
    compiling?.catch(() => {})
    return { step: 'started' }
  },
  tidy({ step }) {
    if (step === 'decode') setImmediate(prepareNext)
  },
})

/** Runs while the process is idle. The collector does not count the tens of megabytes behind a used FFmpeg instance. */
function prepareNext(): void {
  flac.makeNext()
  if (usedFfmpeg) Bun.gc(true)
}
