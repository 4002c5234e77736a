// Reads multipart/form-data as it arrives, one part after the other, holding no more than a chunk in memory.
// Does not know what the parts mean, stores nothing, and never gathers a file.
//
// Own code because the ready-made readers were measured to fail us: Request.formData() holds the whole
// upload (1.5 GB for two of 500 MB), busboy ends the process on a part with a broken header.

import { isUtf8 } from 'node:buffer'
import { type ByteWindow, createWindow } from './byte-window.ts'
import { MultipartFault } from './multipart-fault.ts'

export type FormPart = {
  name: string
  /** as the client told it; metadata, never a path. Null marks a plain field. */
  fileName: string | null
  mediaType: string | null
  /** to be read before the next part is asked for; what is left unread is skipped */
  body: AsyncIterable<Uint8Array>
}

export type MultipartLimits = {
  /** the head of one part, and whatever stands before the first delimiter */
  maxHeaderBytes: number
  maxParts: number
}

const CRLF = '\r\n'
const HEADER_END = Buffer.from('\r\n\r\n')

/** The boundary that a Content-Type declares (RFC 2046: 1 to 70 characters), or null. */
export function boundaryOf(contentType: string): string | null {
  const match = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;,"]{1,70}))\s*(?:;|$)/i.exec(contentType)
  return match?.[1] ?? match?.[2] ?? null
}

/**
 * The parts of a body in their order. Throws MultipartFault when the bytes are not a form, when they end
 * before its closing delimiter, or when a limit is passed. Leaving the loop early cancels the source.
 */
export async function* readMultipart(
  source: ReadableStream<Uint8Array> | null,
  boundary: string,
  limits: MultipartLimits,
): AsyncGenerator<FormPart, void, undefined> {
  const input = createWindow(source)
  try {
    // The first delimiter needs no line break before it; one put there makes it like all others.
    input.prepend(Buffer.from(CRLF))
    const delimiter = Buffer.from(`${CRLF}--${boundary}`, 'latin1')
    if ((await input.takeUntil(delimiter, limits.maxHeaderBytes)) === null) {
      throw new MultipartFault('malformed_multipart', 'The body does not begin with its own delimiter.')
    }
    for (let count = 0; await hasNextPart(input); count++) {
      if (count === limits.maxParts) {
        throw new MultipartFault('body_too_large', `The form has more than ${limits.maxParts} parts.`)
      }
      const head = await input.takeUntil(HEADER_END, limits.maxHeaderBytes)
      if (head === null) throw new MultipartFault('malformed_multipart', 'A part has an endless head.')
      const chunks = readUntil(input, delimiter)
      // Without `return`, so that a reader who breaks off leaves the rest to be skipped here.
      const body = { [Symbol.asyncIterator]: () => ({ next: () => chunks.next() }) }
      yield { ...parseHead(head), body }
      for await (const _skipped of body);
    }
    await input.skip(limits.maxHeaderBytes)
  } finally {
    await input.cancel()
  }
}

/** After a delimiter stands either `--`, the end, or a line break and the next part. */
async function hasNextPart(input: ByteWindow): Promise<boolean> {
  const start = await input.take(2)
  if (start === '--') return false
  // Some writers put blanks between delimiter and line break (RFC 2046 allows them).
  let line = start
  while (/^[ \t]+\r?$/.test(line) && line.length < 64) line += await input.take(1)
  if (/^[ \t]*\r\n$/.test(line)) {
    // An empty head is nothing but a line break: seen from here, one CRLF is already taken.
    input.prepend(Buffer.from(CRLF))
    return true
  }
  throw new MultipartFault('malformed_multipart', 'A delimiter is not followed by a line break.')
}

async function* readUntil(input: ByteWindow, delimiter: Buffer): AsyncGenerator<Uint8Array, void, undefined> {
  for (;;) {
    const at = input.indexOf(delimiter)
    if (at >= 0) {
      const last = input.shift(at)
      input.shift(delimiter.length)
      if (last.length > 0) yield last
      return
    }
    const safe = input.length() - input.beginningOf(delimiter)
    if (safe > 0) yield input.shift(safe)
    await input.fill()
  }
}

function parseHead(head: Buffer): Omit<FormPart, 'body'> {
  const headers = new Map<string, string>()
  // Lossy: a file name may be of any bytes, and is only shown.
  for (const line of head.toString().split(CRLF)) {
    if (line === '') continue
    const match = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[ \t]*(.*)$/s.exec(line)
    if (!match?.[1]) throw new MultipartFault('malformed_multipart', 'A part has a head that is not headers.')
    headers.set(match[1].toLowerCase(), match[2]?.trim() ?? '')
  }
  const encoding = headers.get('content-transfer-encoding')?.toLowerCase()
  if (encoding && !['7bit', '8bit', 'binary'].includes(encoding)) {
    throw new MultipartFault(
      'malformed_multipart',
      `The transfer encoding ${encoding} is not taken in a form.`,
    )
  }
  return {
    ...parseDisposition(headers.get('content-disposition')),
    mediaType: headers.get('content-type') ?? null,
  }
}

function parseDisposition(value: string | undefined): { name: string; fileName: string | null } {
  if (value === undefined || !/^form-data\s*(;|$)/i.test(value)) {
    throw new MultipartFault('malformed_multipart', 'A part has no Content-Disposition of form-data.')
  }
  const parameters = new Map<string, string>()
  for (const [, key, quoted, token] of value.matchAll(
    /;\s*([A-Za-z0-9*_-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/g,
  )) {
    parameters.set(key?.toLowerCase() ?? '', quoted === undefined ? (token ?? '') : unescapeQuoted(quoted))
  }
  const name = parameters.get('name')
  if (name === undefined) throw new MultipartFault('malformed_multipart', 'A part of the form has no name.')
  if (name.includes('\uFFFD'))
    throw new MultipartFault('malformed_multipart', 'A part of the form has a name that is not UTF-8.')
  const extended = decodeExtended(parameters.get('filename*'))
  const plain = parameters.get('filename') ?? null
  return { name, fileName: extended?.isWhole ? extended.text : (plain ?? extended?.text ?? null) }
}

/** Browsers write %22, %0D and %0A in quoted names (WHATWG form encoding), older programs a backslash. */
const unescapeQuoted = (quoted: string): string =>
  quoted
    .replace(/\\(["\\])/g, '$1')
    .replace(/%22|%0D|%0A/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))

/**
 * `UTF-8''na%C3%AFve.wav` (RFC 5987, which also knows ISO-8859-1), which some programs send for names beyond ASCII. Not
 * whole where its bytes are no text of that encoding; those characters are replaced.
 */
function decodeExtended(value: string | undefined): { text: string; isWhole: boolean } | null {
  const [, charset, encoded] = /^(utf-8|iso-8859-1)'[^']*'(.*)$/is.exec(value ?? '') ?? []
  if (charset === undefined || encoded === undefined) return null
  // Every other piece is escaped.
  const pieces = encoded.split(/((?:%[\da-f]{2})+)/i)
  const bytes = Buffer.concat(
    pieces.map((piece, index) =>
      index % 2 === 0 ? Buffer.from(piece) : Buffer.from(piece.replaceAll('%', ''), 'hex'),
    ),
  )
  const isUtf = charset.toLowerCase() === 'utf-8'
  return { text: bytes.toString(isUtf ? 'utf8' : 'latin1'), isWhole: !isUtf || isUtf8(bytes) }
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new MultipartFault('malformed_multipart', 'A part of the form has text that is not UTF-8.')
  }
}

/** A field's text, of at most `maxBytes`. */
export async function readFieldText(
  part: FormPart,
  maxBytes: number,
): Promise<{ text: string; bytes: number }> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of part.body) {
    bytes += chunk.length
    if (bytes > maxBytes) {
      throw new MultipartFault('body_too_large', 'The fields of the form are larger than they may be.')
    }
    chunks.push(chunk)
  }
  return { text: decodeUtf8(Buffer.concat(chunks)), bytes }
}
