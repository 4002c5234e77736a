// The key that deliveries to the webhook are signed with: made at first use, in a file that only its owner may read.
// Nothing but the file shows it; what is signed is webhook-request.ts.

import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFileDurably } from '../lib/durable.ts'
import { isMissing } from '../lib/missing-file.ts'

const WEBHOOK_SECRET_FILE = 'webhook-secret'
const SECRET_BYTES = 32

/** The key as text. Read anew for each delivery, so that another one put into the file is used at once. */
export function createWebhookSecret({ dataFolder }: { dataFolder: string }): () => Promise<string> {
  const path = join(dataFolder, WEBHOOK_SECRET_FILE)
  let making: Promise<string> | null = null
  const make = async () => {
    const secret = randomBytes(SECRET_BYTES).toString('hex')
    await writeFileDurably(path, secret)
    return secret
  }
  return async () => {
    const kept = await read(path)
    if (kept !== '') return kept
    making ??= make().finally(() => {
      making = null
    })
    return making
  }
}

/** Empty where there is none yet. */
async function read(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if (isMissing(error)) return ''
    throw error
  }
}
