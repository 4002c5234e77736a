// `dictation dictionary test`. Not a test file.

import type { Static } from '@sinclair/typebox'
import type { OutcomeSchema } from '../../http/dictionary/test.ts'
import type { Given } from '../command.ts'
import { EXIT } from '../terminal/exit.ts'
import { givenText } from '../terminal/given-text.ts'
import type { Tools } from '../tools.ts'

export async function testDictionaryCommand(
  { server, report }: Tools,
  { args, options }: Given<{ language?: string }>,
): Promise<number> {
  const json = {
    text: await givenText(args),
    ...(options.language !== undefined && { language: options.language }),
  }
  const outcome = await server.request<Static<typeof OutcomeSchema>>('POST', '/dictionary/test', { json })
  report.answer(outcome, () => outcome.text)
  const slow = outcome.too_slow.length
  if (slow > 0) report.say(`${slow} patterns took too long and were not applied to the whole text.`)
  return EXIT.done
}
