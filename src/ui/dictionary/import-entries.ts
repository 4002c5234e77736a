// Imports dictionary files, and restores an earlier state of the dictionary.

import { Refused, request, requestText } from '../server/request.ts'
import type { ShownEntry } from '../server/wire.ts'

export type ImportOutcome = {
  imported: number
  updated: number
  skipped: number
  errors: { line: number; field: string; message: string }[]
}

export type ImportPreview = ImportOutcome & {
  removed: number
  changes: {
    change: 'added' | 'updated'
    entry: Pick<ShownEntry, 'type' | 'word' | 'replacement' | 'aliases'>
  }[]
}

/** `header`: whether the first row of a table names its columns; null lets the server detect it */
export type ImportHow = { mode: Mode; header?: boolean | null }

type Mode = 'merge' | 'replace'

/** The whole dictionary as a file that `restoreDictionary` restores. */
export const wholeDictionary = (): Promise<string> => requestText('/dictionary/export?format=json')

/** Replaces the dictionary with an earlier export. */
export const restoreDictionary = (before: string): Promise<ImportOutcome> =>
  importFile({ body: before, name: 'before.json' }, { mode: 'replace' })

/** Keyed by the server's names of the file formats. */
const MEDIA_TYPES = { json: 'application/json', csv: 'text/csv', txt: 'text/plain' }

const formatOf = (fileName: string): keyof typeof MEDIA_TYPES => {
  const [, extension = ''] = /\.(\w+)$/.exec(fileName.toLowerCase()) ?? []
  if (extension === 'tsv') return 'csv'
  return extension in MEDIA_TYPES ? (extension as keyof typeof MEDIA_TYPES) : 'txt'
}

type Brought = { body: string | Blob; name: string }

function send<Answer>(
  { body, name }: Brought,
  { mode, header }: ImportHow,
  isDryRun: boolean,
): Promise<Answer> {
  const format = formatOf(name)
  const query = new URLSearchParams({ mode, format })
  if (header != null) query.set('header', String(header))
  if (isDryRun) query.set('dry_run', 'true')
  const headers = { 'content-type': MEDIA_TYPES[format] }
  return request<Answer>(`/dictionary/import?${query}`, { method: 'POST', body, headers })
}

export const importFile = (file: Brought, how: ImportHow): Promise<ImportOutcome> => send(file, how, false)

/** A dry run that reports what the import would change. */
export const previewFile = (file: Brought, how: ImportHow): Promise<ImportPreview> => send(file, how, true)

export const importEntries = (entries: readonly object[]): Promise<ImportOutcome> =>
  importFile({ body: JSON.stringify({ entries }), name: 'entries.json' }, { mode: 'merge' })

/** Whether the server could not tell if the first row is a header. */
export const isUnclearHeader = (error: unknown): boolean =>
  error instanceof Refused && (error.problem.errors ?? []).some(({ path }) => path === '/header')
