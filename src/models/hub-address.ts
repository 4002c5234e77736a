// Where a file of the model hub lies: the addresses that the hub and its mirrors answer at.
// Asks nobody; hub-request.ts does.

import { fail, type Result, succeed } from '../lib/result.ts'

/** Where whisper.cpp publishes its models. */
export const PUBLIC_HUB = 'https://huggingface.co'

export type HubFile = {
  /** `owner/name` */
  repository: string
  /** a branch or a commit */
  revision: string
  /** its path within the repository */
  path: string
}

/** The address of a hub or a mirror without a slash at its end; the failure says what is wrong with it. */
export function parseBaseUrl(text: string): Result<string, string> {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    return fail('must be an address such as https://huggingface.co')
  if (url.username !== '' || url.password !== '') return fail('must not hold a name or a password')
  if (url.search !== '' || url.hash !== '') return fail('must not have a query or a fragment')
  return succeed(url.href.replace(/\/+$/, ''))
}

const inPath = (text: string): string => text.split('/').map(encodeURIComponent).join('/')

export const fileUrl = (baseUrl: string, { repository, revision, path }: HubFile): string =>
  `${baseUrl}/${inPath(repository)}/resolve/${encodeURIComponent(revision)}/${inPath(path)}`

/** Lists the folder that a file lies in, with the SHA-256 of what is in large file storage. */
export function listingUrl(baseUrl: string, { repository, revision, path }: HubFile): string {
  const folder = path.includes('/') ? `/${inPath(path.slice(0, path.lastIndexOf('/')))}` : ''
  return `${baseUrl}/api/models/${inPath(repository)}/tree/${encodeURIComponent(revision)}${folder}`
}
