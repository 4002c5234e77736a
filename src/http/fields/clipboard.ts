// The `clipboard` of a request: what `{{clipboard}}` in a snippet stands for.
// A server has none of its own and reads none; what is sent is used once and kept nowhere.

import { text } from '../contract/schema.ts'

const DESCRIPTION =
  'what `{{clipboard}}` in a snippet stands for; used once and kept nowhere. Without it nothing stands in its place, and `warnings` says so'

export const clipboardField = text({ maxLength: 50_000, description: DESCRIPTION })

/** An address has no room for more. */
export const clipboardInQuery = text({
  maxLength: 2000,
  description: `${DESCRIPTION}; a longer one needs a form`,
})
