// Applies an action to several items; one failure does not stop the others.

import type { Tools } from '../tools.ts'
import { EXIT } from './exit.ts'
import { CommandFailure } from './failure.ts'

type Action = {
  act: (id: string) => Promise<unknown>
  /** the sentence about those that succeeded */
  done: (count: number) => string
}

/**
 * With --json, prints a list with the response for each, or its error.
 * @throws CommandFailure if there is only one item, and it fails
 */
export async function each(
  { report, isJson }: Tools,
  ids: readonly string[],
  { act, done }: Action,
): Promise<number> {
  const results: unknown[] = []
  let failures = 0
  for (const id of ids)
    try {
      results.push(await act(id))
    } catch (error) {
      if (!(error instanceof CommandFailure) || ids.length === 1) throw error
      failures++
      results.push({ id, error: { code: error.code, message: error.message } })
      report.say(`${id}: ${error.message}`)
    }
  if (isJson) report.answer(ids.length === 1 ? results[0] : results, () => '')
  if (failures < ids.length) report.note(done(ids.length - failures))
  return failures === 0 ? EXIT.done : EXIT.failed
}
