// Responds with a file, with generated content as if it were a file, or with a compressed asset from memory: 200, 206, 304
// or 416 (RFC 9110: ranges, ETag).

import { stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { shortenFileName } from '../../lib/shorten.ts'
import { problemResponse } from '../kernel/problem.ts'

export type ServedFile = {
  path: string
  mediaType: string
  /** hex digest of the content; used as a strong ETag, because the content never changes */
  sha256: string
  /** the file name that browsers offer for saving */
  downloadName?: string
}

type Span = { start: number; end: number }

/**
 * Returns 200, 206 or 304, 416 if the range is outside the file, or null if the file does not exist.
 * For an invalid range, or several ranges, the response is the whole file, as RFC 9110 allows.
 */
export async function fileResponse(request: Request, file: ServedFile): Promise<Response | null> {
  const size = await sizeOf(file.path)
  if (size === null) return null
  const { mediaType, sha256, downloadName } = file
  const part = requestedPart(request, {
    size,
    mediaType,
    etag: `"${sha256}"`,
    ...(downloadName && { downloadName }),
  })
  if (part instanceof Response) return part
  const { status, headers, start, end } = part
  return new Response(streamOf(file.path, start, end), { status, headers })
}

export type ServedContent = {
  /** bytes of the whole content */
  size: number
  mediaType: string
  /** strong */
  etag: string
  downloadName?: string
}

/** The bytes to send, with status and headers; `end` is exclusive. */
export type RequestedPart = { status: 200 | 206; headers: Headers; start: number; end: number }

/** Returns a response if no bytes are needed: 304, 416. */
export function requestedPart(request: Request, content: ServedContent): Response | RequestedPart {
  const { size, etag, mediaType, downloadName } = content
  const headers = new Headers({
    'accept-ranges': 'bytes',
    etag,
    // The content of an id can be deleted, so clients must revalidate every time; the ETag makes that cheap.
    'cache-control': 'private, no-cache',
  })
  if (matchesEtag(request.headers.get('if-none-match'), etag))
    return new Response(null, { status: 304, headers })
  headers.set('content-type', mediaType)
  if (downloadName) headers.set('content-disposition', contentDisposition(downloadName))

  const span = requestedSpan(request, size, etag)
  if (span === 'outside') {
    return problemResponse({
      code: 'range_not_satisfiable',
      detail: `The file has ${size} bytes; request a range inside them.`,
      headers: { 'content-range': `bytes */${size}`, 'accept-ranges': 'bytes' },
    })
  }
  const { start, end } = span ?? { start: 0, end: size }
  if (span) headers.set('content-range', `bytes ${start}-${end - 1}/${size}`)
  headers.set('content-length', String(end - start))
  return { status: span ? 206 : 200, headers, start, end }
}

/** A stream, because Bun would apply the Range header a second time to a file. */
const streamOf = (path: string, start: number, end: number): ReadableStream =>
  Bun.file(path).slice(start, end).stream()

async function sizeOf(path: string): Promise<number | null> {
  try {
    const info = await stat(path)
    return info.isFile() ? info.size : null
  } catch {
    return null
  }
}

/** If-None-Match uses weak comparison, so a `W/` prefix is ignored. */
export function matchesEtag(header: string | null, etag: string): boolean {
  if (header === null) return false
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || tags.includes('*')
}

function requestedSpan(request: Request, size: number, etag: string): Span | 'outside' | null {
  // If-Range with an older version requests the whole new version.
  const condition = request.headers.get('if-range')
  if (condition !== null && condition !== etag) return null
  return parseRange(request.headers.get('range') ?? '', size)
}

/** `end` is exclusive. Null unless the header is a single byte range. */
function parseRange(header: string, size: number): Span | 'outside' | null {
  const match = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header)
  if (!match || (match[1] === '' && match[2] === '')) return null
  if (match[1] === '') {
    const suffix = Number(match[2])
    if (suffix === 0 || size === 0) return 'outside'
    return { start: Math.max(0, size - suffix), end: size }
  }
  const start = Number(match[1])
  const last = match[2] === '' ? size - 1 : Number(match[2])
  if (match[2] !== '' && last < start) return null
  if (start >= size) return 'outside'
  return { start, end: Math.min(last + 1, size) }
}

/** A character takes up to nine bytes in the header, and clients limit the length of headers. */
const MAX_DOWNLOAD_NAME_CHARACTERS = 150

/** An ASCII name for old clients and the full name in UTF-8 (RFC 6266). No character of the name can end the header. */
export function contentDisposition(wholeName: string): string {
  const name = shortenFileName(wholeName, MAX_DOWNLOAD_NAME_CHARACTERS).replace(/[\p{Cc}/\\]/gu, '_')
  const ascii = name.replace(/[^\x20-\x7e]|["%]/g, '_')
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}

const gzipAsync = promisify(gzip)

type CachedFile = {
  type: string
  plain: Uint8Array<ArrayBuffer>
  gzipped: Uint8Array<ArrayBuffer>
  digest: string
}

/** Compresses off the main thread. The largest file, Swagger UI, shrinks from 1.7 MB to 0.5 MB. */
async function compressed(response: Response): Promise<CachedFile> {
  const content = await response.blob()
  const plain = new Uint8Array(await content.arrayBuffer())
  return {
    // For a file, Bun sets the header only when it sends the response.
    type: response.headers.get('content-type') ?? content.type,
    plain,
    gzipped: new Uint8Array(await gzipAsync(plain)),
    digest: new Bun.CryptoHasher('sha256').update(plain).digest('hex'),
  }
}

/** @param isConstant whether GET always returns the same content at this path */
export function createStaticCache(isConstant: (path: string) => boolean) {
  const cache = new Map<string, Promise<CachedFile>>()

  /** Returns the cached version of `response` if its path is constant, otherwise `response` itself. */
  return async (request: Request, response: Response): Promise<Response> => {
    const path = new URL(request.url).pathname
    if (request.method !== 'GET' || response.status !== 200 || !isConstant(path)) return response
    const known = cache.get(path)
    const caching = known ?? compressed(response)
    if (known) await response.body?.cancel()
    else {
      cache.set(path, caching)
      caching.catch(() => cache.delete(path))
    }
    return responseFrom(await caching, request)
  }
}

function responseFrom({ type, plain, gzipped, digest }: CachedFile, request: Request): Response {
  const isGzipped = acceptsGzip(request.headers.get('accept-encoding')) && gzipped.length < plain.length
  const etag = `"${digest}${isGzipped ? '-gzip' : ''}"`
  const headers = new Headers({ etag, vary: 'accept-encoding', 'cache-control': 'private, no-cache' })
  if (matchesEtag(request.headers.get('if-none-match'), etag)) {
    return new Response(null, { status: 304, headers })
  }
  headers.set('content-type', type)
  if (isGzipped) headers.set('content-encoding', 'gzip')
  const body = isGzipped ? gzipped : plain
  headers.set('content-length', String(body.length))
  return new Response(body, { headers })
}

const acceptsGzip = (accepted: string | null): boolean =>
  (accepted ?? '')
    .split(',')
    .some((coding) => /^\s*(gzip|\*)\s*(;\s*q=(1|0?\.\d*[1-9])\S*\s*)?$/i.test(coding))
