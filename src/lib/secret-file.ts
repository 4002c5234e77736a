// A random secret in a file that only its owner may read.

import { randomBytes } from 'node:crypto'
import { chmod, readFile, rm } from 'node:fs/promises'
import { UNFINISHED_SUFFIX, writeFileDurably } from './durable.ts'
import { nullIfMissing } from './os-errors.ts'

const SECRET_BYTES = 32

/** Empty if the file does not exist. */
export async function readSecret(path: string): Promise<string> {
  return (await readFile(path, 'utf8').catch(nullIfMissing))?.trim() ?? ''
}

/** Returns the stored secret or creates one. The file is renamed into place complete; other users can never read it. */
export async function readOrCreateSecret(path: string): Promise<string> {
  const stored = await readSecret(path)
  if (stored !== '') {
    await chmod(path, 0o600)
    await rm(`${path}${UNFINISHED_SUFFIX}`, { force: true })
    return stored
  }
  const secret = randomBytes(SECRET_BYTES).toString('hex')
  await writeFileDurably(path, secret)
  return secret
}
