// The token that scripts send: as the environment gives it, or as a server with DICTATION_TOKEN=auto keeps it.
// Whether one is demanded is the server's.

import { AUTO_TOKEN, dataFolderOf, tokenFile } from '../../src/config.ts'
import { readSecret } from '../../src/lib/secret-file.ts'

const THIS_COMPUTER = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Null where there is none. What is kept in a file of this computer is sent nowhere else. */
export async function tokenFor(env: NodeJS.ProcessEnv, url: string): Promise<string | null> {
  const given = env.DICTATION_TOKEN
  if (given && given !== AUTO_TOKEN) return given
  if (!THIS_COMPUTER.has(URL.parse(url)?.hostname ?? '')) return null
  // Another user's file, or none.
  return (await readSecret(tokenFile(dataFolderOf(env))).catch(() => '')) || null
}
