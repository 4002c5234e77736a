// Entries that are brought as a file, or come back as one.
// Choosing a file is dictionary-files.tsx.

import { ask, askText } from '../server/ask.ts'

export type ImportOutcome = {
  imported: number
  updated: number
  skipped: number
  errors: { line: number; field: string; message: string }[]
}

type Mode = 'merge' | 'replace'

/** All of the dictionary as a file that brings it back. */
export const wholeDictionary = (): Promise<string> => askText('/dictionary/export?format=json')

/** Named by what the server calls the kinds of file. */
const MEDIA_TYPES = { json: 'application/json', csv: 'text/csv', txt: 'text/plain' }

export function importFile(body: string | Blob, fileName: string, mode: Mode): Promise<ImportOutcome> {
  const [, extension = ''] = /\.(\w+)$/.exec(fileName.toLowerCase()) ?? []
  const format = extension in MEDIA_TYPES ? (extension as keyof typeof MEDIA_TYPES) : 'txt'
  const headers = { 'content-type': MEDIA_TYPES[format] }
  return ask<ImportOutcome>(`/dictionary/import?mode=${mode}&format=${format}`, {
    method: 'POST',
    body,
    headers,
  })
}

export const importEntries = (entries: readonly object[]): Promise<ImportOutcome> =>
  importFile(JSON.stringify({ entries }), 'entries.json', 'merge')
