// A secret that we make, in a file of its own that only its owner may read.
// What it opens is for those who keep it.

import { randomBytes } from 'node:crypto'
import { chmod, readFile, rm } from 'node:fs/promises'
import { UNFINISHED_SUFFIX, writeFileDurably } from './durable.ts'
import { isMissing } from './missing-file.ts'

const SECRET_BYTES = 32

/** Empty where there is none yet. */
export async function readSecret(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if (isMissing(error)) return ''
    throw error
  }
}

/** The secret that is kept there, or one that is from now on: written under another name first, readable by nobody else at any moment. */
export async function keepSecret(path: string): Promise<string> {
  const kept = await readSecret(path)
  if (kept !== '') {
    await chmod(path, 0o600)
    await rm(`${path}${UNFINISHED_SUFFIX}`, { force: true })
    return kept
  }
  const secret = randomBytes(SECRET_BYTES).toString('hex')
  await writeFileDurably(path, secret)
  return secret
}
