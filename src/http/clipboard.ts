// The `clipboard` of a request: what `{{clipboard}}` in a snippet stands for.
// A server has none of its own and reads none; what is sent is used once and kept nowhere.

import { text } from './schema.ts'

export const clipboardField = text({
  maxLength: 50_000,
  description:
    'what `{{clipboard}}` in a snippet stands for; used once and kept nowhere. Without it nothing stands in its place, and `warnings` says so',
})
