// The page's words for problems of the server, whose messages are for programs, too, and call a recording "capture".

import { strings } from '../strings/strings.ts'

export const problemText = ({ code, message }: { code: string; message: string }): string => {
  const own: Record<string, string> = strings.value.problems
  // The API says capture where the page says recording.
  return own[code] ?? message.replace(/\bcapture(s?)\b/g, 'recording$1')
}
