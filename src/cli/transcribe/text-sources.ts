// Records in a hidden file of the output folder which recording each text belongs to, so that recordings of one name in
// different folders do not share a text.

import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { writeFileDurably } from '../../lib/durable.ts'
import type { FoundFile } from '../files/recordings.ts'
import { outputNames, sameAs } from './output-names.ts'

export type TextTarget = {
  path: string
  /** false if an existing text may belong to another recording */
  isKnown: boolean
  write(text: string): Promise<void>
}

export const sourcesFile = (folder: string): string => join(folder, '.transcribed.json')

/** The output files, in the order of the recordings. @param files `source`: the same on every run */
export async function textTargets(
  folder: string,
  files: (FoundFile & { source: string })[],
  extension: string,
): Promise<TextTarget[]> {
  const sources = await sourcesIn(folder)
  const isOthers = (name: string, { source }: { source: string }) =>
    (sources.get(sameAs(name)) ?? source) !== source
  const names = await outputNames(files, extension, isOthers)
  return names.map((name, index) => {
    const { source } = files[index]!
    const path = join(folder, name)
    return {
      path,
      isKnown: sources.get(sameAs(name)) === source,
      async write(text) {
        await mkdir(dirname(path), { recursive: true })
        await claim(folder, name, source)
        await writeFileDurably(path, text)
      },
    }
  })
}

/** Before the text is written, so that every text has a source. */
async function claim(folder: string, name: string, source: string): Promise<void> {
  // Another run may have claimed others meanwhile.
  const sources = await sourcesIn(folder)
  if (sources.get(sameAs(name)) === source) return
  sources.set(sameAs(name), source)
  await writeFileDurably(sourcesFile(folder), `${JSON.stringify(Object.fromEntries(sources), null, 2)}\n`)
}

/** Keyed by `sameAs`; empty if the file is missing or damaged. */
async function sourcesIn(folder: string): Promise<Map<string, string>> {
  try {
    const read: unknown = JSON.parse(await readFile(sourcesFile(folder), 'utf8'))
    const entries = typeof read === 'object' && read !== null ? Object.entries(read) : []
    return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
  } catch {
    return new Map()
  }
}
