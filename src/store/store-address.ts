// Reads where a store is from the settings.

import { isAbsolute, resolve } from 'node:path'
import type { BucketAddress } from './bucket.ts'

/** `name` is what users write. */
export type StoreAddress = { name: string; at: { folder: string } | BucketAddress }

type Wrong = { wrong: string }
type Place = { folder: string } | Pick<BucketAddress, 'bucket' | 'prefix'>

/** `s3://bucket/prefix`, or the absolute path of a folder; null: the data folder. */
export function parseStorePlace(value: string): Place | null | Wrong {
  if (value === '') return null
  if (isAbsolute(value) && !value.includes('\0')) return { folder: resolve(value) }
  const [, bucket, prefix = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/+([\w!.*'()/-]*?))?\/*$/.exec(value) ?? []
  return bucket === undefined
    ? { wrong: 'must be s3://bucket/prefix or the absolute path of a folder that all servers mount' }
    : { bucket, prefix: prefix === '' ? '' : `${prefix}/` }
}

/** Null: Amazon's. */
export function parseEndpoint(value: string): string | null | Wrong {
  if (value === '') return null
  return /^https?:\/\/./.test(value) && URL.canParse(value)
    ? value
    : { wrong: 'must be an address such as https://s3.example.com' }
}

const STORE_ALONE =
  'DICTATION_STORE needs DATABASE_URL: it is for several servers, which share both; for one server, DICTATION_DATA_DIR names another folder'
const NO_S3_KEY = 'DICTATION_STORE needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY for a bucket'

export const storeAddress = (
  name: string | undefined,
  place: Place | null,
  access: Omit<BucketAddress, 'bucket' | 'prefix'>,
): StoreAddress | null =>
  place && { name: name ?? '', at: 'bucket' in place ? { ...place, ...access } : place }

/** What is wrong with settings that are valid each by itself. */
export function faultsOfStore({
  store,
  databaseUrl,
}: {
  store: StoreAddress | null
  databaseUrl: string | null
}) {
  const faults: string[] = []
  if (store === null) return faults
  if (databaseUrl === null) faults.push(STORE_ALONE)
  const { at } = store
  if ('bucket' in at && (at.accessKeyId === '' || at.secretAccessKey === '')) faults.push(NO_S3_KEY)
  return faults
}
