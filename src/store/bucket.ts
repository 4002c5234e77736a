// A store in an S3 bucket. Bun's client signs addresses and lists; fetch sends and receives, because it streams files
// without holding them in memory.

import { S3Client } from 'bun'
import { isMissing, networkReason } from '../lib/os-errors.ts'
import { persistently } from './persistently.ts'
import { missingFile, type SharedFiles, StoreError } from './store.ts'

export type BucketAddress = {
  bucket: string
  /** empty, or ends with a slash */
  prefix: string
  /** null: Amazon's */
  endpoint: string | null
  region: string
  accessKeyId: string
  secretAccessKey: string
  sessionToken: string | null
}

const VALID_SECONDS = 3600
/** An answer takes seconds; a body may take as long as a slow connection needs. */
const PATIENCE_MS = 30_000
const SLOWEST_BYTES_PER_MS = 50

export function openBucket({
  bucket,
  prefix,
  endpoint,
  sessionToken,
  ...access
}: BucketAddress): SharedFiles {
  const client = new S3Client({
    ...access,
    bucket,
    ...(endpoint !== null && { endpoint }),
    ...(sessionToken !== null && { sessionToken }),
    // Other servers than Amazon's rarely have a name for each bucket, and certificates cover no dots.
    virtualHostedStyle: endpoint === null && !bucket.includes('.'),
  })

  async function send(
    method: 'GET' | 'PUT' | 'DELETE',
    path: string,
    more: RequestInit & { ms?: number } = {},
  ) {
    const url = client.presign(`${prefix}${path}`, { method, expiresIn: VALID_SECONDS })
    const { ms = PATIENCE_MS, ...init } = more
    const response = await fetch(url, {
      ...init,
      method,
      redirect: 'manual',
      // Of an answered GET, only the next bytes have a deadline (see `piecesOf`).
      ...(method !== 'GET' && { signal: AbortSignal.timeout(ms) }),
    }).catch((error: unknown) => {
      throw new StoreError(`${new URL(url).origin} does not answer${networkReason(error)}`, { mayPass: true })
    })
    if (response.ok) return response
    const text = await response.text().catch(() => '')
    const code = /<Code>(\w+)<\/Code>/.exec(text)?.[1] ?? `HTTP status ${response.status}`
    if (code === 'NoSuchKey') throw missingFile(path)
    throw refusal(bucket, code, response.status)
  }

  return {
    async put(path, file, { isNew = false } = { isNew: false }) {
      const body = Bun.file(file)
      // The server refuses bytes that a connection has changed.
      const headers = { 'content-md5': await md5Of(body), ...(isNew && { 'if-none-match': '*' }) }
      const ms = PATIENCE_MS + body.size / SLOWEST_BYTES_PER_MS
      await send('PUT', path, { body, headers, ms }).catch((error: unknown) => {
        if (!isNew || !(error instanceof StoreError) || !error.message.includes('PreconditionFailed'))
          throw error
      })
    },
    async get(path) {
      const { body } = await inTime(send('GET', path), bucket)
      return body === null ? new Blob().stream() : piecesOf(body, bucket)
    },
    async remove(path) {
      await send('DELETE', path).catch((error: unknown) => {
        if (!isMissing(error)) throw error
      })
    },
    async *list(wanted) {
      for (let continuationToken: string | undefined; ; ) {
        const page = await persistently(() =>
          inTime(
            client
              .list({ prefix: `${prefix}${wanted}`, ...(continuationToken && { continuationToken }) })
              .catch((error: { code?: string }) => {
                throw refusal(bucket, error.code ?? 'no answer', 503)
              }),
            bucket,
          ),
        )
        for (const { key } of page.contents ?? []) yield key.slice(prefix.length)
        if (!page.isTruncated || page.nextContinuationToken === undefined) return
        continuationToken = page.nextContinuationToken
      }
    },
  }
}

/** What an administrator can do about the errors of a wrong setting. */
const REMEDIES: Record<string, string> = {
  NoSuchBucket: 'there is no such bucket; create it, or correct DICTATION_STORE',
  InvalidAccessKeyId: 'the server does not know AWS_ACCESS_KEY_ID',
  SignatureDoesNotMatch: 'AWS_SECRET_ACCESS_KEY is not the secret of AWS_ACCESS_KEY_ID',
  AccessDenied: 'the key may not read, write, list and delete in it',
  PermanentRedirect: 'it is in another region; set AWS_REGION',
  AuthorizationHeaderMalformed: 'it is in another region; set AWS_REGION',
  ExpiredToken: 'AWS_SESSION_TOKEN has expired',
  RequestTimeTooSkewed: "this computer's clock is wrong",
}

function refusal(bucket: string, code: string, status: number): StoreError {
  const mayPass = status >= 500 || status === 429 || status === 408 || code === 'BadDigest'
  const remedy = REMEDIES[code]
  return new StoreError(`bucket ${bucket}: ${code}${remedy === undefined ? '' : `: ${remedy}`}`, { mayPass })
}

async function md5Of(file: Blob): Promise<string> {
  const hasher = new Bun.CryptoHasher('md5')
  for await (const chunk of file.stream()) hasher.update(chunk)
  return hasher.digest('base64')
}

async function* piecesOf(body: ReadableStream<Uint8Array>, bucket: string): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await inTime(reader.read(), bucket)
      if (done) return
      yield value
    }
  } catch (error) {
    if (error instanceof StoreError) throw error
    throw new StoreError(`bucket ${bucket}: the connection was lost${networkReason(error)}`, {
      mayPass: true,
    })
  } finally {
    reader.cancel().catch(() => {})
  }
}

/** @throws StoreError if it takes too long */
async function inTime<T>(work: Promise<T>, bucket: string): Promise<T> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(new StoreError(`bucket ${bucket}: no answer in ${PATIENCE_MS / 1000} s`, { mayPass: true })),
    PATIENCE_MS,
  )
  try {
    return await Promise.race([work, tooLate])
  } finally {
    clearTimeout(timer)
  }
}
