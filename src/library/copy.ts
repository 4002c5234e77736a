// library.json: a readable copy of the library, from which an empty database is filled. Written after the commit; no
// running server reads it.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFileDurably } from '../lib/durable.ts'
import { isMissing } from '../lib/missing-file.ts'
import type { AnyLibraryPart } from './part.ts'

export const LIBRARY_FILE = 'library.json'
export const LIBRARY_FORMAT = 1

export type CopiedRows = Record<AnyLibraryPart['key'], readonly object[]> & { settings: object }

export type LibraryCopy = CopiedRows & { revision: number; webhookKey: string | null }

export const writeCopy = (dataFolder: string, copy: LibraryCopy): Promise<void> =>
  writeFileDurably(join(dataFolder, LIBRARY_FILE), textOf(copy))

/** Rows per chunk, about ten kilobytes. */
const ROWS_A_PIECE = 50

/** One row per line. */
function* textOf({ revision, settings, webhookKey, ...lists }: LibraryCopy): Generator<string> {
  const head = { format: LIBRARY_FORMAT, revision, settings, webhookKey }
  yield JSON.stringify(head, null, 2).slice(0, -'\n}'.length)
  for (const [key, rows] of Object.entries(lists)) {
    yield `,\n  "${key}": [`
    for (let from = 0; from < rows.length; from += ROWS_A_PIECE) {
      const lines = rows.slice(from, from + ROWS_A_PIECE).map((row) => `    ${JSON.stringify(row)}`)
      yield `${from === 0 ? '\n' : ',\n'}${lines.join(',\n')}`
    }
    yield '\n  ]'
  }
  yield '\n}\n'
}

/** The object in a JSON file; null if there is no file. Throws a SyntaxError if it holds something else. */
export async function readObject(path: string): Promise<Record<string, unknown> | null> {
  const bytes = await readFile(path).catch((error: unknown) => {
    if (isMissing(error)) return null
    throw error
  })
  if (bytes === null) return null
  const value: unknown = JSON.parse(textIn(bytes))
  if (!isObject(value)) throw new SyntaxError('it holds no object')
  return value
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function textIn(bytes: Uint8Array): string {
  try {
    // Unlike readFile's own decoding, it drops a byte order mark and rejects invalid UTF-8.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new SyntaxError('it is not UTF-8')
  }
}
