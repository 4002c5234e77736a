// dictation transcribe: transcribes files, folders or standard input with POST /transcribe; the server stores nothing.

import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, extname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Transcription } from '../../http/transcribe/schema.ts'
import { formatTranscript, TRANSCRIPT_FORMATS, type TranscriptFormat } from '../../transcription/formats.ts'
import type { Given } from '../command.ts'
import { brokenOff, ServerFailure } from '../connection/server-client.ts'
import { type FilePath, keyOfPath, shownName, textOfPath } from '../files/file-path.ts'
import { pathsAt } from '../files/paths.ts'
import {
  type FoundFile,
  filesAtAll,
  formOf,
  isHopeless,
  isRecording,
  type SkipReason,
} from '../files/recordings.ts'
import { createSkippedFiles } from '../files/skipped.ts'
import { EXIT, exitWith } from '../terminal/exit.ts'
import { UsageError } from '../terminal/failure.ts'
import { createPace } from '../terminal/pace.ts'
import { duration } from '../terminal/report.ts'
import type { Tools } from '../tools.ts'
import { sourcesFile, type TextTarget, textTargets } from './text-sources.ts'

const FORMATS = [...TRANSCRIPT_FORMATS, 'json'] as const
type Format = TranscriptFormat | 'json'

type Options = {
  format?: Format
  words?: boolean
  output?: string
  force?: boolean
  language?: string
  model?: string
  prompt?: string
  translate?: boolean
}

/** State that the steps of one run share. */
type Work = Tools & { options: Options }

/** `given`: for programs, a path or -; `target`: the output file, or null for standard output */
type Recording = FoundFile & { given: string; target: TextTarget | null }

const STANDARD_INPUT = '-'
/** A server that stops three times during the same recording probably does so because of it. */
const MAX_TRIES = 3

export async function transcribeRecordings(tools: Tools, { args, options }: Given<Options>): Promise<number> {
  const { report } = tools
  const work = { ...tools, options }
  const format = formatOf(options, tools.isJson)
  await using folder = await createSpool()
  const { recordings, skipped } = await recordingsOf(work, args, { spool: folder.path, format })
  const isOneDocument = format === 'srt' || format === 'vtt'
  if (isOneDocument && recordings.length > 1 && options.output === undefined)
    throw new UsageError(
      `${recordings.length} recordings do not fit into one ${format} document. Choose a folder with --output.`,
    )
  const { todo, done, doubtful } = await apartFromDone(recordings, options.force === true)
  for (const { name, why } of doubtful) report.say(`${shownName(name)}: ${why}. Use --force to overwrite it.`)
  const failed = doubtful.length + (await transcribeAll(work, todo, format))
  const counts = { failed, written: recordings.length - done.length - failed, done: done.length }
  skipped.reportAll()
  if (recordings.length !== 1 || counts.written === 0 || skipped.count() > 0)
    report.note(`${summaryOf({ ...counts, skipped: skipped.count() })}.`)
  return failed + skipped.count() > 0 ? EXIT.failed : EXIT.done
}

type Counts = { written: number; failed: number; done: number; skipped: number }

const summaryOf = ({ written, failed, done, skipped }: Counts): string =>
  [
    `${written} transcribed, ${failed} failed`,
    ...(done > 0 ? [`${done} already done`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ].join(', ')

/**
 * Separates recordings that have their text already. A text that is older than the recording, or of an unknown one, is
 * not overwritten.
 */
async function apartFromDone(recordings: Recording[], isForced: boolean) {
  const [todo, done, doubtful]: [Recording[], Recording[], { name: string; why: string }[]] = [[], [], []]
  for (const recording of recordings) {
    const { name, target, modifiedMs } = recording
    const there = target === null || isForced ? null : await stat(target.path).catch(() => null)
    if (target === null || there === null) todo.push(recording)
    else if (!target.isKnown)
      doubtful.push({ name, why: `${target.path} exists and may belong to another recording` })
    else if (there.mtimeMs < modifiedMs)
      doubtful.push({ name, why: `${target.path} exists and is older than the recording` })
    else done.push(recording)
  }
  return { todo, done, doubtful }
}

/** @returns how many failed */
async function transcribeAll(work: Work, recordings: Recording[], format: Format): Promise<number> {
  const { report } = work
  const total = recordings.reduce((bytes, recording) => bytes + recording.bytes, 0)
  const pace = createPace()
  let [failed, past, printed] = [0, 0, 0]
  for (const [index, recording] of recordings.entries()) {
    const { name, target } = recording
    const onProgress = (share: number) => {
      const now = pace({ done: past + share * recording.bytes, total })
      const left = now === null ? '' : `, ${duration(now.secondsLeft)} left`
      const text = `${Math.floor(share * 100)} %${left}  ${shownName(name)}`
      report.progress({ done: index, total: recordings.length, ofNext: share, text })
    }
    onProgress(0)
    const transcription = await transcribeOne(work, recording, onProgress)
    past += recording.bytes
    if (transcription === null) failed++
    else if (target !== null) await target.write(formatted(transcription, recording, format))
    else {
      const heading = recordings.length > 1 && format !== 'json' ? headingOf(recording, printed++) : ''
      report.result(heading + formatted(transcription, recording, format))
    }
  }
  return failed
}

/** Null if the server says that the file is not a recording, which is reported. */
async function transcribeOne(
  { options, server, report }: Work,
  recording: Recording,
  onProgress: (share: number) => void,
): Promise<Transcription | null> {
  const form = formOf(recording.path, fieldsOf(options))
  for (let tries = 1; ; tries++) {
    try {
      for await (const { event, data } of server.events('POST', '/transcribe', form)) {
        const payload = JSON.parse(data)
        if (event === 'done') return payload
        if (event === 'progress') onProgress(payload.progress)
        if (event === 'error') throw new ServerFailure(payload.code, payload.detail)
      }
      throw brokenOff()
    } catch (error) {
      if (!(error instanceof ServerFailure)) throw error
      if (error.code === 'broken_off' && tries < MAX_TRIES) continue
      if (!isHopeless(error.code) && error.code !== 'broken_off') throw error
      report.say(`${shownName(recording.name)}: ${error.message}`)
      return null
    }
  }
}

const fieldsOf = (options: Options): Record<string, string> => ({
  stream: 'true',
  ...(options.words && { word_timestamps: 'true' }),
  ...(options.translate && { task: 'translate' }),
  ...(options.language !== undefined && { language: options.language }),
  ...(options.model !== undefined && { model: options.model }),
  ...(options.prompt !== undefined && { prompt: options.prompt }),
})

function formatted(transcription: Transcription, { given, name }: Recording, format: Format): string {
  if (format === 'json') return `${JSON.stringify({ path: given, ...transcription })}\n`
  const segments = transcription.segments.map(({ start, end, text }) => ({
    startMs: start * 1000,
    endMs: end * 1000,
    text,
  }))
  return formatTranscript({ text: transcription.text, segments, title: basename(name) }, format)
}

/** In the format of `head` and `tail`. */
const headingOf = ({ name }: Recording, printedBefore: number): string =>
  `${printedBefore === 0 ? '' : '\n'}==> ${shownName(name)} <==\n`

function formatOf({ format, words }: Options, isJson: boolean): Format {
  const chosen = format ?? (isJson ? 'json' : 'txt')
  if (isJson && chosen !== 'json') throw new UsageError(`--json and --format ${chosen} cannot be combined.`)
  if (words && chosen !== 'json') throw new UsageError('--words requires JSON output: add --json.')
  return chosen
}

type Gathering = { spool: string; format: Format }

async function recordingsOf({ options, report }: Work, args: string[], { spool, format }: Gathering) {
  const named = args.filter((path) => path !== STANDARD_INPUT)
  const paths = named.length === 0 ? [] : await pathsAt(named)
  const found: FoundFile[] = []
  const leftOut: [FilePath, SkipReason][] = []
  const onSkipped = (path: FilePath, reason: SkipReason) => void leftOut.push([path, reason])
  for await (const file of filesAtAll(paths, onSkipped))
    if (await isRecording(file, onSkipped)) found.push(file)
  const input = named.length < args.length ? [await standardInput(spool)] : []
  const all = [
    ...found.map((file) => ({ ...file, given: textOfPath(file.path), source: keyOfPath(file.path) })),
    ...input.map((file) => ({ ...file, given: STANDARD_INPUT, source: STANDARD_INPUT })),
  ]
  const folder = options.output === undefined ? null : resolve(options.output)
  const targets = folder === null ? [] : await textTargets(folder, all, format)
  const recordings = all.map((file, index): Recording => ({ ...file, target: targets[index] ?? null }))
  // Texts of an earlier run may be among the recordings.
  const ours = new Set(targets.map(({ path }) => withoutFormat(path)))
  if (folder !== null) ours.add(withoutFormat(sourcesFile(folder)))
  const skipped = createSkippedFiles(report)
  for (const [path, reason] of leftOut)
    if (!ours.has(withoutFormat(textOfPath(path)))) skipped.add(path, reason)
  return { recordings, skipped }
}

/** Undefined if the name is not that of a text. */
function withoutFormat(path: string): string | undefined {
  const extension = extname(path)
  return FORMATS.some((format) => extension === `.${format}`) ? path.slice(0, -extension.length) : undefined
}

/** Into a file first, because it may have to be sent twice. */
async function standardInput(folder: string): Promise<FoundFile> {
  const path = join(folder, 'standard input')
  const written = createWriteStream(path)
  await pipeline(process.stdin, written)
  return {
    path,
    name: 'standard input',
    bytes: written.bytesWritten,
    modifiedMs: Date.now(),
    isNamed: true,
  }
}

async function createSpool() {
  const path = await mkdtemp(join(tmpdir(), 'dictation-transcribe-'))
  const remove = () => rm(path, { recursive: true, force: true })
  const interrupt = async () => {
    await remove()
    void exitWith(EXIT.interrupted)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt)
  return { path, [Symbol.asyncDispose]: remove }
}
