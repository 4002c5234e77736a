// Encodes a text as a JSON string or a part of a URL, and decodes it. Returns null for a text that cannot be decoded.

/** Includes the quotation marks. */
export const toJsonString = (text: string): string => JSON.stringify(text)

export function fromJsonString(text: string): string | null {
  const value = readJson(text)
  return typeof value === 'string' ? value : null
}

/** Indents by two spaces; null if the text is not JSON. */
export function prettyJson(text: string): string | null {
  const value = readJson(text)
  // Numbers that a double cannot represent would change.
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
