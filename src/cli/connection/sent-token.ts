// The token that commands send: from the environment, or from the file of a server with DICTATION_TOKEN=auto.

import { existsSync } from 'node:fs'
import { AUTO_TOKEN, dataFolderOf, type Environment, tokenFile } from '../../config.ts'
import { readSecret } from '../../lib/secret-file.ts'

const THIS_COMPUTER = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Appended to a refusal for a missing token: a wrong DICTATION_DATA_DIR looks the same to the server. */
export function whereTokenIsRead(env: Environment): string {
  const file = tokenFile(dataFolderOf(env))
  const missing = existsSync(file) ? '' : ', which does not exist'
  return `The command reads it from DICTATION_TOKEN, or from ${file}${missing}.`
}

/** Null if there is none. A token from a local file is only sent to this computer. */
export async function tokenFor(env: Environment, url: string): Promise<string | null> {
  const given = env.DICTATION_TOKEN
  if (given && given !== AUTO_TOKEN) return given
  if (!THIS_COMPUTER.has(URL.parse(url)?.hostname ?? '')) return null
  // Another user's file, or none.
  return (await readSecret(tokenFile(dataFolderOf(env))).catch(() => '')) || null
}
