import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { dataFolderOf } from '../../config.ts'
import { makeFolder } from '../../lib/durable.ts'
import { sha256Of } from '../../lib/sha256-of.ts'
import type { WireCaptureDetail } from '../captures/find.ts'
import { finishedCapture, storeRecording } from '../captures/store-recording.ts'
import type { Given } from '../command.ts'
import { type ServerClient, ServerFailure } from '../connection/server-client.ts'
import { findMicrophone, type Microphone } from '../dictate/microphone.ts'
import { unsentFolderOf } from '../dictate/rescue.ts'
import { formOf } from '../files/recordings.ts'
import { secondsOf } from '../option-values.ts'
import { EXIT } from '../terminal/exit.ts'
import { CommandFailure } from '../terminal/failure.ts'
import { duration, type Report } from '../terminal/report.ts'
import type { Tools } from '../tools.ts'
import { type Recorded, recordTo } from './recorded-file.ts'

type Options = { seconds?: string; title?: string; language?: string; model?: string; input?: string }

export async function recordCommand(
  { server, report, env }: Tools,
  { options }: Given<Options>,
): Promise<number> {
  const { title, language, model } = options
  const longest = secondsOf('seconds', options.seconds, Infinity)
  const microphone = findMicrophone(options.input ?? null)
  if (!microphone.ok) throw new CommandFailure(microphone.failure, { code: 'missing_program' })
  // Before the user speaks: this starts the server, or fails.
  await server.request('GET', '/capture/readiness')
  const startedAt = new Date()
  const folder = unsentFolderOf(dataFolderOf(env))
  await makeFolder(folder)
  const path = join(folder, `${startedAt.toISOString().replaceAll(':', '-')}.wav`)
  const recorded = await recordUntilStopped(path, { microphone: microphone.value, longest, report })
  if (recorded.reason !== null) report.say(`${recorded.reason}.`)
  if (recorded.seconds === 0)
    throw new CommandFailure(`${microphone.value.name} recorded nothing.`, {
      code: 'no_audio',
      hint: 'Check which microphone the system uses, and whether it is muted.',
    })
  report.note(`Recorded ${duration(recorded.seconds)}; transcribing …`)
  const capture = await stored(server, path, {
    source: 'recording',
    recorded_at: startedAt.toISOString(),
    ...(title !== undefined && { title }),
    ...(language !== undefined && { language }),
    ...(model !== undefined && { stt_model: model }),
  })
  report.answer(capture, () => capture.text)
  if (capture.status !== 'failed') return EXIT.done
  report.say(capture.error?.message ?? 'The recording could not be transcribed.')
  return EXIT.failed
}

type RecordOptions = { microphone: Microphone; longest: number; report: Report }

const LOOK_EVERY_MS = 500

async function recordUntilStopped(
  path: string,
  { microphone, longest, report }: RecordOptions,
): Promise<Recorded> {
  const recording = recordTo(path, microphone)
  const beganAt = performance.now()
  const how = process.stdin.isTTY ? 'Enter ends it' : 'Ctrl+C ends it'
  const show = () => {
    const seconds = (performance.now() - beganAt) / 1000
    if (seconds >= longest) recording.stop()
    const what = `Recording with ${microphone.name}. ${how}.`
    report.waiting({ what, soFar: `● ${duration(seconds)} ${what}` })
  }
  show()
  const timer = setInterval(show, Math.min(LOOK_EVERY_MS, longest * 1000))
  const { stop } = recording
  process.once('SIGINT', stop).once('SIGTERM', stop).once('SIGHUP', stop)
  // A terminal delivers a line at Enter. Other input may end at once.
  if (process.stdin.isTTY) process.stdin.once('data', stop)
  try {
    return await recording.ended
  } finally {
    clearInterval(timer)
    process.off('SIGINT', stop).off('SIGTERM', stop).off('SIGHUP', stop)
    process.stdin.pause()
  }
}

/** The file stays until the server has the recording. @throws ServerFailure that names the file */
async function stored(
  server: ServerClient,
  path: string,
  query: Record<string, string>,
): Promise<WireCaptureDetail> {
  const recording = { sha256: await sha256Of(path), ...formOf(path, {}, 'audio/wav'), query }
  const { id } = await storeRecording(server, recording).catch((error) => {
    if (!(error instanceof ServerFailure)) throw error
    const hint = `The recording is in ${path}; "dictation import" with this path sends it.`
    throw new ServerFailure(error.code, error.message, { hint, cause: error })
  })
  await rm(path)
  return finishedCapture(server, id)
}
