// The address of a server as a user writes it.

const DEFAULT_SERVER = 'http://127.0.0.1:17493'

/** `localhost:17493` is accepted too. Null for an invalid address. */
export function addressOf(text: string): string | null {
  const url = /^[a-z\d.-]+:\d+(\/|$)|^\[[\da-f:]+\]:\d+(\/|$)/i.test(text) ? `http://${text}` : text
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? url : null
}

/** @param name the option or variable that has it */
export const noAddress = (name: string, text: string): string =>
  `${name} must be an address such as ${DEFAULT_SERVER} or localhost:17493, not ${text}.`
