// dictation import: uploads recordings or folders to be stored and transcribed; with --watch, also later ones. Recordings
// that the server already has, by content, are skipped.

import { setTimeout as sleep } from 'node:timers/promises'
import { sha256Of } from '../../lib/sha256-of.ts'
import { captureWithAudio, finishedCapture, storeRecording } from '../captures/store-recording.ts'
import type { Given } from '../command.ts'
import { ServerFailure } from '../connection/server-client.ts'
import { type FilePath, fileAt, keyOfPath, shownName, textOfPath } from '../files/file-path.ts'
import { pathsAt } from '../files/paths.ts'
import {
  type FoundFile,
  filesAtAll,
  formOf,
  isHopeless,
  isRecording,
  unlessUnreadable,
} from '../files/recordings.ts'
import { createSkippedFiles, type SkippedFiles } from '../files/skipped.ts'
import { EXIT, exitWith } from '../terminal/exit.ts'
import { createPace } from '../terminal/pace.ts'
import { duration, speedOf } from '../terminal/report.ts'
import type { Tools } from '../tools.ts'

type Options = {
  watch?: boolean
  source?: string
  language?: string
  model?: string
  app?: string
  wait?: boolean
  'dry-run'?: boolean
}

/** State that the steps of one run share. */
type Work = Tools & { options: Options }

type Counts = { imported: number; known: number; failed: number; skipped: number }

/** A file modified in the last seconds is still being written. */
const SETTLED_MS = 3000
const LOOK_EVERY_MS = 5000

export const watchFolders = (tools: Tools, given: Given<Options>): Promise<number> =>
  importRecordings(tools, { ...given, options: { ...given.options, watch: true } })

export async function importRecordings(tools: Tools, { args, options }: Given<Options>): Promise<number> {
  const { report } = tools
  const work = { ...tools, options }
  const paths = await pathsAt(args)
  const counts: Counts = { imported: 0, known: 0, failed: 0, skipped: 0 }
  const skipped = createSkippedFiles(report)
  const stopping = new AbortController()
  const interrupt = () => {
    report.event('interrupted', counts)
    skipped.reportAll()
    report.say(`Interrupted: ${summaryOf(work, counts)}. Run the same command to continue.`)
    void exitWith(EXIT.interrupted)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      if (!options.watch) return interrupt()
      stopping.abort()
      process.once(signal, interrupt)
    })
  /** the files handled in this run: path to size and time; some hundred bytes per file */
  const seen = new Map<string, string>()
  do {
    await takeAll(work, { paths, counts, seen, skipped })
    skipped.reportAll()
    if (options.watch) await sleep(LOOK_EVERY_MS, null, { signal: stopping.signal }).catch(() => {})
  } while (options.watch && !stopping.signal.aborted)
  report.event('ended', counts)
  report.note(`${summaryOf(work, counts)}.`)
  return counts.failed + counts.skipped > 0 ? EXIT.failed : EXIT.done
}

function summaryOf({ options }: Work, { imported, known, failed, skipped }: Counts): string {
  const taken = options['dry-run'] ? 'would be imported' : 'imported'
  const left = skipped === 0 ? '' : `, ${skipped} skipped`
  return `${imported} ${taken}, ${known} already present, ${failed} failed${left}`
}

type Pass = { paths: FilePath[]; counts: Counts; seen: Map<string, string>; skipped: SkippedFiles }

async function takeAll(work: Work, pass: Pass): Promise<void> {
  const { report } = work
  const { counts, skipped } = pass
  const found = await recordingsToTake(work, pass)
  const total = found.reduce((bytes, file) => bytes + file.bytes, 0)
  let past = 0
  const pace = createPace()
  const showProgress = (done: number, name: string) => {
    const now = pace({ done: past, total })
    const speed = now === null ? '' : `${speedOf(now.perSecond)}, ${duration(now.secondsLeft)} left, `
    report.progress({
      done,
      total: found.length,
      text: `${speed}${counts.failed} failed  ${shownName(name)}`,
    })
  }
  for (const [index, file] of found.entries()) {
    showProgress(index, file.name)
    const sha256 = await unlessUnreadable(file.path, skipped.add, sha256Of(fileAt(file.path)))
    if (sha256 !== null) await takeOne(work, { ...file, sha256 }, counts)
    past += file.bytes
    counts.skipped = skipped.count()
  }
  showProgress(found.length, '')
}

/** Files that are new or have changed since they were handled. */
async function recordingsToTake({ options }: Work, pass: Pass): Promise<FoundFile[]> {
  const { paths, counts, seen, skipped } = pass
  const found: FoundFile[] = []
  for await (const file of filesAtAll(paths, skipped.add)) {
    const [key, version] = [keyOfPath(file.path), `${file.bytes} ${file.modifiedMs}`]
    if (seen.get(key) === version) continue
    // The next round checks it again; without --watch it is imported as it is.
    if (options.watch && Date.now() - file.modifiedMs < SETTLED_MS) continue
    const isOne = await isRecording(file, skipped.add)
    if (isOne !== null) seen.set(key, version)
    if (isOne) found.push(file)
  }
  counts.skipped = skipped.count()
  return found
}

type Recording = FoundFile & { sha256: string }

async function takeOne(work: Work, file: Recording, counts: Counts): Promise<void> {
  const { options, server, report } = work
  const path = textOfPath(file.path)
  const known = await captureWithAudio(server, file.sha256)
  if (known !== null) {
    counts.known++
    report.event('known', { path, capture_id: known.id })
    return
  }
  if (options['dry-run']) {
    counts.imported++
    report.event('would_import', { path })
    return
  }
  try {
    const form = formOf(file.path, { ...fieldsOf(options), ...recordedAt(file) })
    const { id, status } = await storeRecording(server, { sha256: file.sha256, ...form })
    const capture = options.wait ? await finishedCapture(server, id) : { id, status }
    counts[capture.status === 'failed' ? 'failed' : 'imported']++
    report.event('imported', { path, capture_id: capture.id, status: capture.status })
  } catch (error) {
    if (!(error instanceof ServerFailure) || !isHopeless(error.code)) throw error
    counts.failed++
    report.event('refused', { path, code: error.code, message: error.message })
    report.say(`${shownName(path)}: ${error.message}`)
  }
}

const fieldsOf = (options: Options): Record<string, string> => ({
  source: options.source ?? 'file',
  ...(options.language !== undefined && { language: options.language }),
  ...(options.model !== undefined && { stt_model: options.model }),
  ...(options.app !== undefined && { app_name: options.app }),
})

/** Omitted if the clock was wrong or missing: the server then uses the time of receipt. */
const recordedAt = ({ modifiedMs }: FoundFile): Record<string, string> =>
  modifiedMs > 0 && modifiedMs <= Date.now() ? { recorded_at: new Date(modifiedMs).toISOString() } : {}
