// The `clipboard` field: the text for `{{clipboard}}` in a snippet. The server does not read a clipboard itself.

import { text } from '../contract/schema.ts'

const CLIPBOARD_DESCRIPTION =
  'the text that replaces `{{clipboard}}` in a snippet; used once and not stored. Without it the placeholder is removed, with a warning in `warnings`'

export const clipboardField = text({ maxLength: 50_000, description: CLIPBOARD_DESCRIPTION })

/** Shorter, because the length of a URL is limited. */
export const clipboardInQuery = text({
  maxLength: 2000,
  description: `${CLIPBOARD_DESCRIPTION}; a longer one needs a form`,
})
