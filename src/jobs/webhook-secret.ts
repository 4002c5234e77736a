// The key that deliveries to the webhook are signed with: made at first use, in a file that only its owner may read.
// Nothing but the file shows it; what is signed is webhook-request.ts.

import { join } from 'node:path'
import { keepSecret } from '../lib/secret-file.ts'

const WEBHOOK_SECRET_FILE = 'webhook-secret'

/** The key as text. Read anew when it is asked for, so that another one put into the file is used at once. */
export function createWebhookSecret({ dataFolder }: { dataFolder: string }): () => Promise<string> {
  const path = join(dataFolder, WEBHOOK_SECRET_FILE)
  let making: Promise<string> | null = null
  return () => {
    making ??= keepSecret(path).finally(() => {
      making = null
    })
    return making
  }
}
