// A text written as a string of JSON or as part of a web address, and read back.
// What cannot be read is null: nothing is guessed.

/** With its quotation marks. */
export const toJsonString = (text: string): string => JSON.stringify(text)

export function fromJsonString(text: string): string | null {
  const value = readJson(text)
  return typeof value === 'string' ? value : null
}

/** Indented by two; null where it is no JSON. */
export function prettyJson(text: string): string | null {
  const value = readJson(text)
  // Numbers that a double cannot hold would come back as others.
  if (value === undefined || /\d{16}|\d[eE][+-]?\d/u.test(text)) return null
  return JSON.stringify(value, null, 2) + text.slice(text.trimEnd().length)
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const urlEncode = (text: string): string | null =>
  text.isWellFormed() ? encodeURIComponent(text) : null

export function urlDecode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
