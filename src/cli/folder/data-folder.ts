// Checks that a folder is a server's data folder, so that a command with a wrong path does not create one.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { CAPTURES_FOLDER } from '../../captures/capture-files.ts'

/** Null if it is one; otherwise a sentence with the reason. */
export function noDataFolder(folder: string): string | null {
  const names = namesIn(folder)
  if (names === null) return `There is no folder ${folder}. ${NAMED_BY}`
  const isOne =
    names.includes('instance.lock') ||
    names.some((name) => /^postgres-\d+$/.test(name)) ||
    namesIn(join(folder, CAPTURES_FOLDER))?.some((name) => /^\d{4}-\d\d$/.test(name))
  return isOne ? null : `${folder} is not a Local Dictation data folder. ${NAMED_BY}`
}

const NAMED_BY = 'Set DICTATION_DATA_DIR to the data folder. Nothing was changed.'

/** Null if it cannot be read. */
function namesIn(folder: string): string[] | null {
  try {
    return readdirSync(folder)
  } catch {
    return null
  }
}
