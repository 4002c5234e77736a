// The `prompt` and `keywords` fields, which bias the recogniser. src/text/dictionary/prompt.ts truncates them.

import { Type } from '@sinclair/typebox'
import { text } from '../contract/schema.ts'

/** Longer than Whisper accepts: clients send all they have, and only the end is used. */
const MAX_CHARACTERS = 100_000

const PROMPT_DESCRIPTION =
  'names and words that are likely to be spoken; if it is too long, only the end is used, with a warning'

export const promptField = text({ description: PROMPT_DESCRIPTION, maxLength: MAX_CHARACTERS })

/** Shorter, because the length of a URL is limited. */
export const promptInQuery = text({
  description: `${PROMPT_DESCRIPTION}; a longer one needs a form`,
  maxLength: 2000,
})

export const keywordsField = (description: string) =>
  Type.Array(text({ minLength: 1, maxLength: 200 }), { description, maxItems: 500 })
