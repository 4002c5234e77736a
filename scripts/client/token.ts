// The token that scripts send: from the environment, or from the file of a server with DICTATION_TOKEN=auto.

import { existsSync } from 'node:fs'
import { AUTO_TOKEN, dataFolderOf, tokenFile } from '../../src/config.ts'
import { readSecret } from '../../src/lib/secret-file.ts'

const THIS_COMPUTER = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Appended to a refusal for a missing token: a wrong DICTATION_DATA_DIR looks the same to the server. */
export function whereTokenIsRead(env: NodeJS.ProcessEnv): string {
  const file = tokenFile(dataFolderOf(env))
  const missing = existsSync(file) ? '' : ', which does not exist'
  return `Scripts read it from DICTATION_TOKEN, or from ${file}${missing}.`
}

/** Null if there is none. A token from a local file is only sent to this computer. */
export async function tokenFor(env: NodeJS.ProcessEnv, url: string): Promise<string | null> {
  const given = env.DICTATION_TOKEN
  if (given && given !== AUTO_TOKEN) return given
  if (!THIS_COMPUTER.has(URL.parse(url)?.hostname ?? '')) return null
  // Another user's file, or none.
  return (await readSecret(tokenFile(dataFolderOf(env))).catch(() => '')) || null
}
