// npm run import: takes recordings, or a folder of them, into keeping and has them transcribed; with --watch, also those to come.
// A thin client of POST /captures; what is there already, by its content, is left out.

import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sha256Of } from '../src/lib/sha256-of.ts'
import { COMMON_HELP, runCommand, type Tools } from './client/command.ts'
import { EXIT, exitWith } from './client/exit.ts'
import { createPace } from './client/pace.ts'
import { pathsAt } from './client/paths.ts'
import { formOf, isHopeless, recordingsAt, unlessUnreadable } from './client/recordings.ts'
import { duration, speedOf } from './client/report.ts'
import { ServerFailure } from './client/server.ts'

const HELP = `Takes recordings into keeping: a file, or those of a folder and of the folders in it. They are transcribed one
after the other; the files themselves stay as they are.

usage: npm run import -- PATH... [options]

  --watch               go on, and take in what is recorded later
  --source SOURCE       dictation, recording or file [file]
  --language LANGUAGE   that is spoken, or auto [as the settings say]
  --model NAME          that transcribes [as the settings say]
  --app NAME            the application they were spoken into
  --wait                wait for each transcript
  --dry-run             only say what would be taken in
${COMMON_HELP}

What the server has already, in the trash too, is known by its content and left out: killed and started again, the
script goes on where it was. A recording that was deleted for good is taken in again.`

const OPTIONS = {
  watch: { type: 'boolean' },
  source: { type: 'string' },
  language: { type: 'string' },
  model: { type: 'string' },
  app: { type: 'string' },
  wait: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
} as const

type ImportTools = Tools<typeof OPTIONS>

type Counts = { imported: number; known: number; failed: number }

/** A file that was changed in the last seconds is still being written. */
const SETTLED_MS = 3000
const LOOK_EVERY_MS = 5000
const UNREADABLE = 'unreadable'

async function importRecordings(tools: ImportTools): Promise<number> {
  const { options, positionals, report } = tools
  const paths = await pathsAt(positionals)
  const counts: Counts = { imported: 0, known: 0, failed: 0 }
  /** what was dealt with in this run: path to size and time; grows with the folder, by some hundred bytes a file */
  const seen = new Map<string, string>()
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      if (!options.watch) return interrupt(tools, counts)
      stopping.abort()
      process.once(signal, () => interrupt(tools, counts))
    })
  do {
    await takeAll(tools, { paths, counts, seen })
    if (options.watch) await sleep(LOOK_EVERY_MS, null, { signal: stopping.signal }).catch(() => {})
  } while (options.watch && !stopping.signal.aborted)
  report.event('ended', counts)
  report.say(`${summaryOf(tools, counts)}.`)
  return counts.failed > 0 ? EXIT.someFailed : EXIT.done
}

const summaryOf = ({ options }: ImportTools, { imported, known, failed }: Counts): string =>
  `${imported} ${options['dry-run'] ? 'would be taken in' : 'taken in'}, ${known} there already, ${failed} failed`

function interrupt(tools: ImportTools, counts: Counts): void {
  tools.report.event('interrupted', counts)
  tools.report.say(`Interrupted: ${summaryOf(tools, counts)}. The same command goes on with the rest.`)
  void exitWith(EXIT.interrupted)
}

type Pass = { paths: string[]; counts: Counts; seen: Map<string, string> }

async function* recordingsAtAll(paths: string[], onUnreadable?: (path: string) => void) {
  for (const path of paths) yield* recordingsAt(path, onUnreadable)
}

async function takeAll(tools: ImportTools, { paths, counts, seen }: Pass): Promise<void> {
  const { options, report } = tools
  const all = { files: 0, bytes: 0 }
  for await (const { bytes } of recordingsAtAll(paths)) {
    all.files++
    all.bytes += bytes
  }
  const past = { files: 0, bytes: 0 }
  const pace = createPace()
  const tell = (name: string) => {
    const now = pace({ done: past.bytes, total: all.bytes })
    const speed = now === null ? '' : `${speedOf(now.perSecond)}, ${duration(now.secondsLeft)} left, `
    report.progress({ done: past.files, total: all.files, text: `${speed}${counts.failed} failed  ${name}` })
  }
  const unreadable = (path: string) => {
    if (seen.get(path) === UNREADABLE) return
    seen.set(path, UNREADABLE)
    counts.failed++
    report.event('refused', { path, code: UNREADABLE, message: 'It cannot be read.' })
    report.say(`${path}: It cannot be read.`)
  }
  for await (const file of recordingsAtAll(paths, unreadable)) {
    tell(basename(file.path))
    past.files++
    past.bytes += file.bytes
    const version = `${file.bytes} ${file.modifiedMs}`
    if (seen.get(file.path) === version) continue
    // It is looked at again in the next round; without one it is taken as it is.
    if (options.watch && Date.now() - file.modifiedMs < SETTLED_MS) continue
    const sha256 = await unlessUnreadable(file.path, unreadable, sha256Of(file.path))
    if (sha256 === null) continue
    await takeOne(tools, { path: file.path, sha256 }, counts)
    seen.set(file.path, version)
  }
  tell('')
}

type Recording = { path: string; sha256: string }

async function takeOne(tools: ImportTools, { path, sha256 }: Recording, counts: Counts): Promise<void> {
  const { options, server, report } = tools
  const known = await captureOf(server, sha256)
  if (known !== null) {
    counts.known++
    report.event('known', { path, capture_id: known })
    return
  }
  if (options['dry-run']) {
    counts.imported++
    report.event('would_import', { path })
    return
  }
  try {
    const form = formOf(path, fieldsOf(options))
    const wait = options.wait ? 'true' : 'false'
    const capture = await server.ask<{ id: string; status: string }>('POST', `/captures?wait=${wait}`, form)
    counts[capture.status === 'failed' ? 'failed' : 'imported']++
    report.event('imported', { path, capture_id: capture.id, status: capture.status })
  } catch (error) {
    if (!(error instanceof ServerFailure) || !isHopeless(error.code)) throw error
    counts.failed++
    report.event('refused', { path, code: error.code, message: error.message })
    report.say(`${path}: ${error.message}`)
  }
}

/** The capture with this very recording, in the trash or not. */
async function captureOf(server: ImportTools['server'], sha256: string): Promise<string | null> {
  for (const trashed of ['false', 'true']) {
    const query = `audio_sha256=${sha256}&trashed=${trashed}&limit=1`
    const { items } = await server.ask<{ items: { id: string }[] }>('GET', `/captures?${query}`)
    if (items[0]) return items[0].id
  }
  return null
}

const fieldsOf = (options: ImportTools['options']): Record<string, string> => ({
  source: options.source ?? 'file',
  ...(options.language !== undefined && { language: options.language }),
  ...(options.model !== undefined && { stt_model: options.model }),
  ...(options.app !== undefined && { app_name: options.app }),
})

await exitWith(await runCommand({ options: OPTIONS, help: HELP }, importRecordings))
