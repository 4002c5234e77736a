// Remembers what the language model made of a text, so that nobody waits for the same answer twice: a client may ask for
// what was refined by itself already. Only what was believed, in memory alone; asking is src/llm.

import { createHash } from 'node:crypto'
import type { filterText } from '../llm/filter-text.ts'

export type Filter = typeof filterText

/** A client asks again soon. */
const MAX_ANSWERS = 100

type Answer = Extract<Awaited<ReturnType<Filter>>, { ok: true }>

export function rememberingAnswers(ask: Filter): Filter {
  const answers = new Map<string, Answer>()
  return async (text, request) => {
    const question = questionOf(text, request)
    const known = answers.get(question)
    if (known !== undefined) return known
    const answer = await ask(text, request)
    if (answer.ok) {
      answers.set(question, answer)
      for (const oldest of [...answers.keys()].slice(0, -MAX_ANSWERS)) answers.delete(oldest)
    }
    return answer
  }
}

/** All that the answer depends on: how digits are read follows from the language, and the rest is about the asking. */
function questionOf(text: string, { address, model, prompt, guard }: Parameters<Filter>[1]): string {
  const { digitsOf: _, ...believed } = guard
  const question = JSON.stringify([text, address, model, prompt, believed])
  return createHash('sha256').update(question).digest('base64')
}
