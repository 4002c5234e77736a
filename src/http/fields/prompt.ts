// What a request may tell the recogniser before it hears: a text, and terms that are likely to be said.
// How much of it finds room is src/text/dictionary/prompt.ts.

import { Type } from '@sinclair/typebox'
import { text } from '../contract/schema.ts'

/** Longer than Whisper takes: programs send what they have, and the end of it is what counts. */
const MAX_CHARACTERS = 100_000

const DESCRIPTION =
  'names and words that are likely to be said; of what is too long the end is told, with a warning'

export const promptField = text({ description: DESCRIPTION, maxLength: MAX_CHARACTERS })

/** An address has no room for more. */
export const promptInQuery = text({
  description: `${DESCRIPTION}; a longer one needs a form`,
  maxLength: 2000,
})

export const keywordsField = (description: string) =>
  Type.Array(text({ minLength: 1, maxLength: 200 }), { description, maxItems: 500 })
