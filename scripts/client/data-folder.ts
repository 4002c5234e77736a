// Whether a folder is one that a server keeps its data in: a script that works on one must not begin one by a slip.
// What is in it is src/captures's and db's.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { CAPTURES_FOLDER } from '../../src/captures/capture-files.ts'

/** Null where it is one; a sentence where it is not. */
export function noDataFolder(folder: string): string | null {
  const names = namesIn(folder)
  if (names === null) return `There is no folder ${folder}. ${NAMED_BY}`
  const isOne =
    names.includes('instance.lock') ||
    names.some((name) => /^postgres-\d+$/.test(name)) ||
    namesIn(join(folder, CAPTURES_FOLDER))?.some((name) => /^\d{4}-\d\d$/.test(name))
  return isOne ? null : `${folder} is not a Local Dictation data folder. ${NAMED_BY}`
}

const NAMED_BY = 'DICTATION_DATA_DIR names the data folder; nothing was changed.'

/** Null where they cannot be read. */
function namesIn(folder: string): string[] | null {
  try {
    return readdirSync(folder)
  } catch {
    return null
  }
}
