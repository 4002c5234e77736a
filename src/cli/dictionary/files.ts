import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { systemReason } from '../../lib/os-errors.ts'
import type { Given } from '../command.ts'
import { failureOf } from '../connection/server-client.ts'
import { writeNew } from '../files/write-new.ts'
import { quantity } from '../items.ts'
import { confirm } from '../terminal/confirm.ts'
import { EXIT } from '../terminal/exit.ts'
import { CommandFailure, UsageError } from '../terminal/failure.ts'
import { pipedText } from '../terminal/given-text.ts'
import { rowsText } from '../terminal/rows.ts'
import type { Tools } from '../tools.ts'
import type { WireEntry } from './entries.ts'

const MEDIA_TYPES = {
  txt: 'text/plain',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  json: 'application/json',
}
type Format = keyof typeof MEDIA_TYPES

/** By the name of a file; null for another name. */
const formatOf = (path: string): Format | null => {
  const ending = extname(path).slice(1).toLowerCase()
  return ending in MEDIA_TYPES ? (ending as Format) : null
}

type Change = { change: 'added' | 'updated'; entry: Pick<WireEntry, 'type' | 'word' | 'replacement'> }
type Outcome = {
  imported: number
  updated: number
  skipped: number
  removed?: number
  changes?: Change[]
  errors: { line: number; field: string; message: string }[]
}

type ImportOptions = {
  format?: Format
  header?: 'yes' | 'no'
  replace?: boolean
  'dry-run'?: boolean
  yes?: boolean
}

export async function importEntriesCommand(
  { server, report }: Tools,
  { args, options }: Given<ImportOptions>,
): Promise<number> {
  const file = args[0]!
  const isDryRun = options['dry-run'] === true
  const text = file === '-' ? await pipedText() : await textOf(file)
  const question = `Delete every dictionary entry that is not in ${file}?`
  if (options.replace && !isDryRun && !(await confirm(question, options.yes === true))) return EXIT.failed
  const query = new URLSearchParams({
    mode: options.replace ? 'replace' : 'merge',
    ...(isDryRun && { dry_run: 'true' }),
    ...(options.header !== undefined && { header: String(options.header === 'yes') }),
  })
  const type = MEDIA_TYPES[options.format ?? formatOf(file) ?? 'txt']
  const outcome = await server.request<Outcome>('POST', `/dictionary/import?${query}`, {
    body: () => text,
    type,
  })
  report.answer(outcome, () => summaryOf(outcome, isDryRun))
  for (const { line, field, message } of outcome.errors)
    report.say(`line ${line}: ${[field, message].join(' ').trim()}`)
  return outcome.errors.length === 0 ? EXIT.done : EXIT.failed
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const reason = systemReason(error)
    if (reason === null) throw error
    throw new CommandFailure(`${file} could not be read: ${reason}.`, { code: 'unreadable_file' })
  }
}

function summaryOf(
  { imported, updated, skipped, removed, changes = [] }: Outcome,
  isDryRun: boolean,
): string {
  const would = isDryRun ? 'would be ' : ''
  const counts = [
    `${quantity(imported, 'entry')} ${would}added`,
    `${updated} ${would}changed`,
    `${skipped} ${would}skipped`,
    ...(!removed ? [] : [`${removed} ${would}deleted`]),
  ].join(', ')
  const rows = changes.map(({ change, entry }) => [change, entry.type, entry.word, entry.replacement ?? ''])
  return [...(rows.length === 0 ? [] : [rowsText(rows)]), `${counts}.`].join('\n')
}

type ExportOptions = { format?: 'txt' | 'csv' | 'json'; output?: string; force?: boolean }

export async function exportEntriesCommand(
  { server, report, isJson }: Tools,
  { options }: Given<ExportOptions>,
): Promise<number> {
  const { output, force = false } = options
  const named = output === undefined ? null : formatOf(output)
  const format = options.format ?? (named === 'tsv' ? null : named) ?? 'json'
  if (isJson && output === undefined && format !== 'json')
    throw new UsageError(`--json and --format ${format} cannot be combined.`)
  const response = await server.send('GET', `/dictionary/export?format=${format}`)
  if (!response.ok) throw await failureOf(response)
  if (output === undefined) {
    report.result(await response.text())
    return EXIT.done
  }
  await writeNew(output, response, { isReplaced: force })
  if (isJson) report.answer({ file: output, format }, () => '')
  report.note(`Wrote ${output}.`)
  return EXIT.done
}
