// Asks before something that cannot be undone.

import { createInterface } from 'node:readline/promises'
import { UsageError } from './failure.ts'

/**
 * @param isGiven --yes, without which a command that no terminal can answer is refused
 * @throws UsageError
 */
export async function confirm(question: string, isGiven: boolean): Promise<boolean> {
  if (isGiven) return true
  if (process.stdin.isTTY !== true)
    throw new UsageError(`${question} Nothing was done.`, 'Add --yes to confirm.')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim())
  } finally {
    terminal.close()
  }
}
