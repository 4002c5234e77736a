// The files and folders that a script was given.
// What is in them is recordings.ts's.

import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { UsageError } from './command.ts'

/** Relative to where the command was typed: npm and bun.mjs run scripts in the project's own folder. */
export const pathAt = (given: string): string => resolve(process.env.INIT_CWD ?? '.', given)

/** @throws UsageError where there is none, or one of them is not there */
export async function pathsAt(given: string[]): Promise<string[]> {
  if (given.length === 0) throw new UsageError('say which folder, or which file')
  for (const path of given) {
    const found = await stat(pathAt(path)).catch(() => null)
    if (!found?.isDirectory() && !found?.isFile()) throw new UsageError(`${path} is no folder and no file`)
  }
  return given.map(pathAt)
}
