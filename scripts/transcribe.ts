// npm run transcribe: speech to text, of files, folders or standard input; nothing is kept.
// A thin client of POST /transcribe; what is to be kept goes through import.ts.

import { createWriteStream, existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, extname, join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Transcription } from '../src/http/transcribe/schema.ts'
import { writeFileDurably } from '../src/lib/durable.ts'
import { formatTranscript, TRANSCRIPT_FORMATS, type TranscriptFormat } from '../src/transcription/formats.ts'
import { COMMON_HELP, runCommand, type Tools, UsageError } from './client/command.ts'
import { EXIT, exitWith } from './client/exit.ts'
import { createPace } from './client/pace.ts'
import { pathAt, pathsAt } from './client/paths.ts'
import { formOf, isHopeless, type RecordingFile, recordingsAt } from './client/recordings.ts'
import { duration } from './client/report.ts'
import { brokenOff, ServerFailure } from './client/server.ts'

const FORMATS = [...TRANSCRIPT_FORMATS, 'json'] as const
type Format = TranscriptFormat | 'json'

const HELP = `Writes down what is said in recordings: files, those of folders, or standard input. The text goes to standard
output, everything else to standard error. Nothing is kept; "npm run import" keeps.

usage: npm run --silent transcribe -- PATH... [options]

  npm run --silent transcribe -- memo.m4a
  npm run --silent transcribe -- interviews --format srt --output subtitles
  ffmpeg -i talk.mkv -f flac - | npm run --silent transcribe -- - --json

  --format FORMAT       ${FORMATS.join(', ')} [txt]
  --json                the same as --format json: a line of JSON for each recording
  --words               each word with its times, in JSON
  --output FOLDER       a file there for each recording; none is written over
  --force               but with this
  --language LANGUAGE   that is spoken, or auto [as the settings say]
  --model NAME          that transcribes [as the settings say]
  --prompt TEXT         what was said before, or names that are likely
  --translate           into English
${COMMON_HELP}`

const OPTIONS = {
  format: { type: 'string' },
  json: { type: 'boolean' },
  words: { type: 'boolean' },
  output: { type: 'string', short: 'o' },
  force: { type: 'boolean' },
  language: { type: 'string' },
  model: { type: 'string' },
  prompt: { type: 'string' },
  translate: { type: 'boolean' },
} as const

type TranscribeTools = Tools<typeof OPTIONS>

/** `name`: for people, and for the file that is written; `given`: for programs, a path or - */
type Recording = RecordingFile & { name: string; given: string }

const STANDARD_INPUT = '-'
/** A server that goes away while it hears the same recording for the third time may well do so because of it. */
const MOST_TRIES = 3

async function transcribeRecordings(tools: TranscribeTools): Promise<number> {
  const format = formatOf(tools.options)
  await using folder = await createSpool()
  const { recordings, unreadable } = await recordingsOf(tools, folder.path)
  const isOneDocument = format === 'srt' || format === 'vtt'
  if (isOneDocument && recordings.length > 1 && tools.options.output === undefined)
    throw new UsageError(
      `${recordings.length} recordings are no one ${format}: say with --output where they go`,
    )
  const failed = unreadable + (await transcribeAll(tools, recordings, format))
  const written = recordings.length + unreadable - failed
  if (recordings.length !== 1 || failed > 0) tools.report.say(`${written} written down, ${failed} failed.`)
  return failed > 0 ? EXIT.someFailed : EXIT.done
}

/** @returns how many could not be written down */
async function transcribeAll(
  tools: TranscribeTools,
  recordings: Recording[],
  format: Format,
): Promise<number> {
  const { options, report } = tools
  const total = recordings.reduce((bytes, recording) => bytes + recording.bytes, 0)
  const pace = createPace()
  let [failed, past, told] = [0, 0, 0]
  for (const [index, recording] of recordings.entries()) {
    const onProgress = (share: number) => {
      const now = pace({ done: past + share * recording.bytes, total })
      const left = now === null ? '' : `, ${duration(now.secondsLeft)} left`
      const text = `${Math.floor(share * 100)} %${left}  ${recording.name}`
      report.progress({ done: index, total: recordings.length, ofNext: share, text })
    }
    const target = options.output === undefined ? null : targetOf(options.output, recording, format)
    if (target !== null && options.force !== true && existsSync(target)) {
      report.say(`${recording.name}: ${target} is there already; --force writes over it.`)
      failed++
      continue
    }
    onProgress(0)
    const heard = await hear(tools, recording, onProgress)
    past += recording.bytes
    if (heard === null) failed++
    else if (target !== null) await write(target, formatted(heard, recording, format))
    else {
      const heading = recordings.length > 1 && format !== 'json' ? headingOf(recording, told++) : ''
      report.result(heading + formatted(heard, recording, format))
    }
  }
  return failed
}

/** Null where the server says that this is no recording, which is told. */
async function hear(
  tools: TranscribeTools,
  recording: Recording,
  onProgress: (share: number) => void,
): Promise<Transcription | null> {
  const { options, server, report } = tools
  const form = formOf(recording.path, fieldsOf(options))
  for (let tries = 1; ; tries++) {
    try {
      for await (const { event, data } of server.events('POST', '/transcribe', form)) {
        const told = JSON.parse(data)
        if (event === 'done') return told
        if (event === 'progress') onProgress(told.progress)
        if (event === 'error') throw new ServerFailure(told.code, told.detail)
      }
      throw brokenOff()
    } catch (error) {
      if (!(error instanceof ServerFailure)) throw error
      if (error.code === 'broken_off' && tries < MOST_TRIES) continue
      if (!isHopeless(error.code) && error.code !== 'broken_off') throw error
      report.say(`${recording.name}: ${error.message}`)
      return null
    }
  }
}

const fieldsOf = (options: TranscribeTools['options']): Record<string, string> => ({
  stream: 'true',
  ...(options.words && { word_timestamps: 'true' }),
  ...(options.translate && { task: 'translate' }),
  ...(options.language !== undefined && { language: options.language }),
  ...(options.model !== undefined && { model: options.model }),
  ...(options.prompt !== undefined && { prompt: options.prompt }),
})

function formatted(heard: Transcription, { given, name }: Recording, format: Format): string {
  if (format === 'json') return `${JSON.stringify({ path: given, ...heard })}\n`
  const segments = heard.segments.map(({ start, end, text }) => ({
    startMs: start * 1000,
    endMs: end * 1000,
    text,
  }))
  return formatTranscript({ text: heard.text, segments, title: basename(name) }, format)
}

/** As `head` and `tail` tell files apart. */
const headingOf = ({ name }: Recording, toldBefore: number): string =>
  `${toldBefore === 0 ? '' : '\n'}==> ${name} <==\n`

const targetOf = (folder: string, { name }: Recording, format: Format): string =>
  join(pathAt(folder), `${name.slice(0, name.length - extname(name).length)}.${format}`)

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFileDurably(path, text)
}

function formatOf({ format, json, words }: TranscribeTools['options']): Format {
  const chosen = format ?? (json ? 'json' : 'txt')
  if (!FORMATS.some((known) => known === chosen))
    throw new UsageError(`--format must be one of ${FORMATS.join(', ')}, not ${chosen}`)
  if (json && chosen !== 'json') throw new UsageError(`--json and --format ${chosen} exclude each other`)
  if (words && chosen !== 'json') throw new UsageError('--words are told in JSON alone: give --json as well')
  return chosen as Format
}

async function recordingsOf({ positionals, report }: TranscribeTools, spool: string) {
  if (positionals.length === 0)
    throw new UsageError('say which recording, which folder of recordings, or - for standard input')
  const named = positionals.filter((path) => path !== STANDARD_INPUT)
  const paths = named.length === 0 ? [] : await pathsAt(named)
  const recordings: Recording[] = []
  let unreadable = 0
  const onUnreadable = (path: string) => {
    unreadable++
    report.say(`${path}: It cannot be read.`)
  }
  for (const given of paths)
    for await (const file of recordingsAt(given, onUnreadable))
      recordings.push({ ...file, given: file.path, name: relative(given, file.path) || basename(given) })
  if (named.length < positionals.length) recordings.push(await standardInput(spool))
  return { recordings, unreadable }
}

/** Into a file first: it may have to be sent twice. */
async function standardInput(folder: string): Promise<Recording> {
  const path = join(folder, 'standard input')
  const written = createWriteStream(path)
  await pipeline(process.stdin, written)
  return {
    path,
    given: STANDARD_INPUT,
    name: 'standard input',
    bytes: written.bytesWritten,
    modifiedMs: Date.now(),
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

await exitWith(await runCommand({ options: OPTIONS, help: HELP, hasResult: true }, transcribeRecordings))
