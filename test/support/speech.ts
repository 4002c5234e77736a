// The recordings of test/speech, and comparison of texts.

import { basename, join, resolve } from 'node:path'

export const speechFolder = resolve(import.meta.dir, '../speech')

export type Recording = {
  /** relative to test/speech */
  file: string
  /** what was said; '' for silence */
  text: string
  /** the transcript by native whisper.cpp */
  reference: string
  seconds: number
  /** of joined recordings: the text of each part with its times, in seconds */
  pieces?: { start: number; end: number; text: string }[]
}

/** A human reader in a language other than English; `text` is the text that they read. */
export type ForeignRecording = Pick<Recording, 'file' | 'text' | 'seconds'> & { language: string }

const listed: (Recording | ForeignRecording)[] = await Bun.file(join(speechFolder, 'index.json')).json()

const isForeign = (one: Recording | ForeignRecording): one is ForeignRecording => 'language' in one

export const recordings = listed.filter((one): one is Recording => !isForeign(one))

export const foreignRecordings = listed.filter(isForeign)

export const recording = (file: string): Recording => {
  const found = recordings.find((one) => one.file === file)
  if (found === undefined) throw new Error(`no recording ${file} in test/speech/index.json`)
  return found
}

export const recordingFile = (file: string) => Bun.file(join(speechFolder, file))

/** Lowercase words without punctuation. The combining marks of Indic and Semitic scripts belong to the words. */
export const wordsOf = (text: string): string[] =>
  text
    .normalize('NFC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}\p{N}]+)*/gu) ?? []

/** The number of words to replace, insert or delete to turn one text into the other. */
export const wordsApart = (one: string, other: string): number => editDistance(wordsOf(one), wordsOf(other))

/** Replacements, insertions and deletions (Levenshtein, 1966). */
export function editDistance(a: readonly string[], b: readonly string[]): number {
  let row = b.map((_, column) => column + 1)
  row.unshift(0)
  for (const [i, word] of a.entries()) {
    const next = [i + 1]
    for (const [j, counterpart] of b.entries())
      next.push(Math.min(row[j]! + (word === counterpart ? 0 : 1), row[j + 1]! + 1, next[j]! + 1))
    row = next
  }
  return row[b.length]!
}

/** A multipart body with a recording and fields, as from curl -F. */
export const formOf = (file: string, fields: Record<string, string> = {}): Promise<FormData> =>
  formWith(join(speechFolder, file), fields)

/** The same with any file. */
export async function formWith(path: string, fields: Record<string, string> = {}): Promise<FormData> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('file', new File([await Bun.file(path).arrayBuffer()], basename(path)))
  return form
}
