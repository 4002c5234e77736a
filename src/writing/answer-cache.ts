// Caches accepted answers of the language model in memory, so that a client that refines an already refined text need
// not wait again.

import { createHash } from 'node:crypto'
import type { filterText } from '../llm/filter-text.ts'

export type Filter = typeof filterText

const MAX_ANSWERS = 100

type Answer = Extract<Awaited<ReturnType<Filter>>, { ok: true }>

export function cachedAnswers(ask: Filter): Filter {
  const answers = new Map<string, Answer>()
  return async (text, request) => {
    const key = cacheKey(text, request)
    const known = answers.get(key)
    if (known !== undefined) return known
    const answer = await ask(text, request)
    if (answer.ok) {
      answers.set(key, answer)
      for (const oldest of [...answers.keys()].slice(0, -MAX_ANSWERS)) answers.delete(oldest)
    }
    return answer
  }
}

/** Everything that the answer depends on. `digitsOf` follows from the language; other fields only concern the call. */
function cacheKey(text: string, { address, model, prompt, guard }: Parameters<Filter>[1]): string {
  const { digitsOf: _, ...guardOptions } = guard
  const inputs = JSON.stringify([text, address, model, prompt, guardOptions])
  return createHash('sha256').update(inputs).digest('base64')
}
