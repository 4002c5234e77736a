// Which environment variables may hold the key of a language model.

const PREFIX = 'DICTATION_'

/** Allowed values of the setting. */
export const KEY_VARIABLE_PATTERN = `^${PREFIX}[A-Za-z0-9_]*$`

/** This server's own secrets. Every other DICTATION_ variable is either not secret or meant to be sent. */
const OWN_SECRETS = ['DICTATION_TOKEN']

/**
 * Why a name is rejected, or null. A client that may change settings chooses the variable and the URL it is sent to, so
 * the name must not reach other programs' secrets in the environment.
 */
export function keyVariableFault(name: string): string | null {
  if (!name.startsWith(PREFIX))
    return `must begin with ${PREFIX}, such as ${PREFIX}LLM_KEY: the server never sends other environment variables`
  // Windows ignores the case of variable names.
  if (OWN_SECRETS.includes(name.toUpperCase())) return 'must not name the token of this server'
  return null
}
