// Confirmation of what cannot easily be undone.

import { createInterface } from 'node:readline/promises'
import { EXIT } from './exit.ts'
import { CommandFailure, UsageError } from './failure.ts'

/**
 * Returns after a yes. @param isYes --yes was given
 * @throws UsageError without a terminal, and CommandFailure after any other answer
 */
export async function confirm(question: string, isYes: boolean): Promise<void> {
  if (isYes) return
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new UsageError(`${question} There is no terminal to confirm it on.`, 'Add --yes.')
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await lines.question(`${question} [y/N] `)
    if (/^y(es)?$/i.test(answer.trim())) return
  } finally {
    lines.close()
  }
  throw new CommandFailure('Nothing was changed.', { code: 'canceled', exitCode: EXIT.interrupted })
}
