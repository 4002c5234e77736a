// URLs of files on the model hub and its mirrors.

import { fail, type Result, succeed } from '../lib/result.ts'

/** whisper.cpp publishes its models here. */
export const PUBLIC_HUB = 'https://huggingface.co'

export type HubFile = {
  /** `owner/name` */
  repository: string
  /** a branch or a commit */
  revision: string
  /** within the repository */
  path: string
}

/** The URL of a hub or mirror without a trailing slash; the failure is a message for users. */
export function parseBaseUrl(text: string): Result<string, string> {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    return fail('must be a URL such as https://huggingface.co')
  if (url.username !== '' || url.password !== '') return fail('must not contain a user name or password')
  if (url.search !== '' || url.hash !== '') return fail('must not have a query or a fragment')
  return succeed(url.href.replace(/\/+$/, ''))
}

const inPath = (text: string): string => text.split('/').map(encodeURIComponent).join('/')

export const fileUrl = (baseUrl: string, { repository, revision, path }: HubFile): string =>
  `${baseUrl}/${inPath(repository)}/resolve/${encodeURIComponent(revision)}/${inPath(path)}`

/** Lists the file's folder, with the SHA-256 of files in large file storage. */
export function listingUrl(baseUrl: string, { repository, revision, path }: HubFile): string {
  const folder = path.includes('/') ? `/${inPath(path.slice(0, path.lastIndexOf('/')))}` : ''
  return `${baseUrl}/api/models/${inPath(repository)}/tree/${encodeURIComponent(revision)}${folder}`
}
