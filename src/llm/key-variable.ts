// Which variables of the environment may hold the key of a language model.
// Whether one is set, and what is in it, is llm-client.ts's.

const PREFIX = 'DICTATION_'

/** What a setting may be set to. */
export const KEY_VARIABLE_PATTERN = `^${PREFIX}[A-Za-z0-9_]*$`

/** What opens this server. Everything else of that name is either no secret or was put there to be sent. */
const OWN_SECRETS = ['DICTATION_TOKEN']

/**
 * What is wrong with a name; null: nothing. Whoever may change settings chooses the variable and where it is sent, so
 * no name may reach what others keep in the environment.
 */
export function keyVariableFault(name: string): string | null {
  if (!name.startsWith(PREFIX))
    return `must begin with ${PREFIX}, such as ${PREFIX}LLM_KEY: other variables of the environment are not this server's to send`
  // On Windows every spelling means the same variable.
  if (OWN_SECRETS.includes(name.toUpperCase())) return 'must not name the token of this server'
  return null
}
