// Formats a log entry for a terminal: one line with the message and its fields. pino-pretty adds time and level.

/** Characters that can neither be mistaken for the end of a value nor move the cursor. */
const PLAIN = /^[\p{L}\p{N}_.:/+{}[\]@%*-]+$/u

export function logLine(fields: object, message: string): string {
  const words = [message]
  const below: string[] = []
  for (const [name, value] of Object.entries(fields)) {
    const stack = stackOf(value)
    if (stack === null) words.push(`${name}=${valueInWords(value)}`)
    else below.push(stack)
  }
  return [words.join(' '), ...below].join('\n')
}

const stackOf = (value: unknown): string | null =>
  typeof value === 'object' && value !== null && 'stack' in value ? String(value.stack) : null

function valueInWords(value: unknown): string {
  if (typeof value === 'string') return PLAIN.test(value) ? value : JSON.stringify(value)
  if (Array.isArray(value)) return value.map(valueInWords).join(',')
  return JSON.stringify(value) ?? 'undefined'
}
