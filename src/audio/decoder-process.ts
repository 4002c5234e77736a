// The decoder process: decodes the files that its parent names and reports the result. Only this process parses
// untrusted bytes; it has no secrets, no network code and no database.

import { exitWithParent } from '../lib/child-process.ts'
import { once } from '../lib/once.ts'
import { type DecoderReport, PRELOAD_FFMPEG } from './decoder-report.ts'
import { compileCodecs } from './decoding/codec-packets.ts'
import { DecodeError } from './decoding/decode-error.ts'
import { decodeFile } from './decoding/decode-file.ts'
import type { DecodeTask } from './decoding/decode-task.ts'
import { compileFfmpeg, type FfmpegCore } from './decoding/ffmpeg-core.ts'
import { createFlacDecoders } from './decoding/flac.ts'
import { createResampler, loadSpeex } from './decoding/resampler.ts'
import { loadSpeechModel, type SpeechModel } from './speech-model.ts'

exitWithParent()

// Decoders print a message for each damaged piece, one of them endlessly: too many messages end the attempt.
const MAX_COMPLAINTS = 200
let complaints = 0
console.error = () => {
  if (++complaints > MAX_COMPLAINTS) throw new DecodeError('damaged', 'The recording is damaged.')
}

const report = (message: DecoderReport) => process.send?.(message)

const [speex] = await Promise.all([loadSpeex(), compileCodecs()])
// Warm-up: a second of silence compiles the loops that every recording runs through. Saves 15 ms for the first one.
const warmUp = createResampler(speex, 48_000, () => {})
warmUp.push(new Float32Array(48_000))
warmUp.finish()
// Not awaited: compilation continues during the first recording, which may not need FFmpeg.
let compiling = process.argv.includes(PRELOAD_FFMPEG) ? compileFfmpeg() : null
// The recording that needs an absent package reports it.
compiling?.catch(() => {})

const flac = createFlacDecoders()
flac.makeNext()

let usedFfmpeg = false
async function ffmpeg(): Promise<FfmpegCore | null> {
  usedFfmpeg = true
  report({ step: 'loading' })
  compiling ??= compileFfmpeg()
  try {
    const make = await compiling
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
  report({ step: 'loading' })
  try {
    return await speechModel()
  } finally {
    await reportLoaded()
  }
}

/** Decoding blocks this thread, so the report must be sent before it starts. */
async function reportLoaded(): Promise<void> {
  report({ step: 'loaded' })
  await new Promise(setImmediate)
}

process.on('message', async (task: DecodeTask) => {
  complaints = 0
  usedFfmpeg = false
  try {
    const decoded = await decodeFile(task, { speex, flac, ffmpeg, speech })
    report({ step: 'decoded', ...decoded, usedFfmpeg })
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    const { code, message, needsBytes } = error
    report({ step: 'failed', code, message, ...(needsBytes !== undefined && { needsBytes }), usedFfmpeg })
  }
  // After the report is sent: the server transcribes the recording meanwhile.
  setImmediate(tidy)
})

/** Runs while the process is idle. The collector does not count the tens of megabytes behind a used FFmpeg instance. */
function tidy(): void {
  flac.makeNext()
  if (usedFfmpeg) Bun.gc(true)
}

report({ step: 'ready' })
