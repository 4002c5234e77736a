// The recordings of test/speech and how texts are compared.
// Knows nothing of the server.

import { basename, join, resolve } from 'node:path'

export const speechFolder = resolve(import.meta.dir, '../speech')

export type Recording = {
  /** relative to test/speech */
  file: string
  /** what was said; "" where nothing was */
  text: string
  /** what native whisper.cpp writes for it */
  reference: string
  seconds: number
  /** of joined recordings: what was said when, in seconds */
  pieces?: { start: number; end: number; text: string }[]
}

/** A person's, in another language than English; `text` is what they read. */
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

/** Lower case, no punctuation: what is left are the words. The marks of Indic and Semitic scripts are part of theirs. */
export const wordsOf = (text: string): string[] =>
  text
    .normalize('NFC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}\p{N}]+)*/gu) ?? []

/** How many words must be changed, added or left out to turn one text into the other. */
export const wordsApart = (one: string, other: string): number => stepsApart(wordsOf(one), wordsOf(other))

/** Changed, added or left out (Levenshtein, 1966). */
export function stepsApart(a: readonly string[], b: readonly string[]): number {
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

/** A multipart body with a recording and fields, as curl -F makes it. */
export const formOf = (file: string, fields: Record<string, string> = {}): Promise<FormData> =>
  formWith(join(speechFolder, file), fields)

/** The same with any file. */
export async function formWith(path: string, fields: Record<string, string> = {}): Promise<FormData> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('file', new File([await Bun.file(path).arrayBuffer()], basename(path)))
  return form
}
