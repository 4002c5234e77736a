// The decoder process: decodes the files that its parent names, says how it went, and is ended by its parent.
// Hostile bytes are read here and nowhere else; it has no secrets, no network code and no database.

import { serveParentAlone } from '../lib/child-process.ts'
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

serveParentAlone()

// Decoders complain about damaged bytes line by line, one of them without end: a flood ends the attempt.
const MAX_COMPLAINTS = 200
let complaints = 0
console.error = () => {
  if (++complaints > MAX_COMPLAINTS) throw new DecodeError('damaged', 'The recording is damaged.')
}

const report = (message: DecoderReport) => process.send?.(message)

const [speex] = await Promise.all([loadSpeex(), compileCodecs()])
// A second of silence has the loops compiled that every recording runs through: 15 ms less for the first one.
const rehearsal = createResampler(speex, 48_000, () => {})
rehearsal.push(new Float32Array(48_000))
rehearsal.finish()
// Goes on while the first recording comes in: one that does not need FFmpeg must not wait for it.
let compiling = process.argv.includes(PRELOAD_FFMPEG) ? compileFfmpeg() : null
// An absent package is reported by the recording that needs it.
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
    // The next recording may have more luck: with memory, for example.
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

/** Decoding blocks this thread; the report has to leave before. */
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
  // The report leaves first; the recording is listened to meanwhile.
  setImmediate(tidy)
})

/** While nobody waits. The collector does not see the tens of megabytes behind a used FFmpeg. */
function tidy(): void {
  flac.makeNext()
  if (usedFfmpeg) Bun.gc(true)
}

report({ step: 'ready' })
