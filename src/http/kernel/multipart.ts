// A streaming multipart/form-data reader that holds at most one chunk in memory.
//
// We do not use a library, because of measured failures: Request.formData() buffers the whole upload (1.5 GB for two
// of 500 MB), and busboy ends the process on a part with a broken header.

import { isUtf8 } from 'node:buffer'
import { collectGarbageEvery } from '../../lib/idle-memory.ts'

/** An error in the encoding of a form, or in its transfer. Thrown, so that it unwinds through the code that stores the file. */
export class MultipartFault extends Error {
  constructor(
    readonly code: 'malformed_multipart' | 'body_interrupted' | 'body_too_large',
    message: string,
  ) {
    super(message)
  }
}

/**
 * Collect garbage after this many bytes. Chunks become garbage at once, but with a large heap Bun let 250 MB of
 * them pile up (measured). The collection costs no measurable time.
 */
const COLLECT_BYTES = 32 * 1024 * 1024

export type ByteWindow = ReturnType<typeof createWindow>

function createWindow(source: ReadableStream<Uint8Array> | null) {
  const reader = source?.getReader()
  let window: Buffer = Buffer.alloc(0)
  // Remembered, because the code that stores the file may have caught it. The rest of the window is then no valid form.
  let fault: MultipartFault | null = null

  const leaveBehind = collectGarbageEvery(COLLECT_BYTES, 'meanwhile')

  async function fill(): Promise<void> {
    const chunk = await readChunk()
    if (fault !== null) throw fault
    if (chunk !== null) window = window.length === 0 ? asBuffer(chunk) : Buffer.concat([window, chunk])
  }

  async function readChunk(): Promise<Uint8Array | null> {
    try {
      const result = await reader?.read()
      if (result && !result.done) {
        leaveBehind(result.value.length)
        return result.value
      }
      fault ??= new MultipartFault('body_interrupted', 'The body ended before its closing delimiter.')
    } catch {
      fault ??= new MultipartFault('body_interrupted', 'The connection broke while the body was arriving.')
    }
    return null
  }

  const shift = (count: number): Buffer => {
    const taken = window.subarray(0, count)
    window = window.subarray(count)
    return taken
  }

  return {
    fill,
    shift,
    length: () => window.length,
    indexOf: (needle: Buffer) => window.indexOf(needle),
    /** How many of the last bytes may be the start of the needle. Usually none, and then nothing is copied. */
    beginningOf(needle: Buffer): number {
      const from = Math.max(0, window.length - needle.length + 1)
      for (let at = window.indexOf(needle[0]!, from); at >= 0; at = window.indexOf(needle[0]!, at + 1)) {
        const end = window.subarray(at)
        if (needle.subarray(0, end.length).equals(end)) return end.length
      }
      return 0
    },
    prepend(bytes: Buffer) {
      window = Buffer.concat([bytes, window])
    },
    async take(count: number): Promise<string> {
      if (fault !== null) throw fault
      while (window.length < count) await fill()
      return shift(count).toString('latin1')
    },
    /** Returns the bytes before the needle and drops the needle; null when it comes after `maxBytes`. */
    async takeUntil(needle: Buffer, maxBytes: number): Promise<Buffer | null> {
      for (;;) {
        const at = window.indexOf(needle)
        if (at > maxBytes || (at < 0 && window.length > maxBytes + needle.length)) return null
        if (at >= 0) {
          const before = shift(at)
          shift(needle.length)
          return before
        }
        await fill()
      }
    },
    /** Reads to the end of the body, so that the connection can be reused; gives up after `maxBytes`. */
    async skip(maxBytes: number): Promise<void> {
      for (let bytes = window.length; bytes <= maxBytes; ) {
        const chunk = await readChunk()
        if (chunk === null) return
        bytes += chunk.length
      }
    },
    /** Stops the sender; has no effect when the body has been read to its end. */
    async cancel(): Promise<void> {
      await reader?.cancel().catch(() => undefined)
    },
  }
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

export type FormPart = {
  name: string
  /** as the client sent it; metadata, never a path. Null for a plain field. */
  fileName: string | null
  mediaType: string | null
  /** must be read before the next part is requested; unread bytes are skipped */
  body: AsyncIterable<Uint8Array>
}

export type MultipartLimits = {
  /** for the headers of one part, and for the bytes before the first delimiter */
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
 * Yields the parts of a body in order. Throws MultipartFault if the bytes are not a form, if they end before the
 * closing delimiter, or if a limit is exceeded. Leaving the loop early cancels the source.
 */
export async function* readMultipart(
  source: ReadableStream<Uint8Array> | null,
  boundary: string,
  limits: MultipartLimits,
): AsyncGenerator<FormPart, void, undefined> {
  const input = createWindow(source)
  try {
    // The first delimiter needs no line break before it. Adding one makes it like all others.
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
      if (head === null)
        throw new MultipartFault('malformed_multipart', 'The headers of a part are too long.')
      const chunks = readUntil(input, delimiter)
      // No `return`: if the consumer stops early, the loop below still skips the rest.
      const body = { [Symbol.asyncIterator]: () => ({ next: () => chunks.next() }) }
      yield { ...parseHead(head), body }
      for await (const _skipped of body);
    }
    await input.skip(limits.maxHeaderBytes)
  } finally {
    await input.cancel()
  }
}

/** A delimiter is followed by `--`, which ends the form, or by a line break and the next part. */
async function hasNextPart(input: ByteWindow): Promise<boolean> {
  const start = await input.take(2)
  if (start === '--') return false
  // Some clients put blanks between delimiter and line break (RFC 2046 allows them).
  let line = start
  while (/^[ \t]+\r?$/.test(line) && line.length < 64) line += await input.take(1)
  if (/^[ \t]*\r\n$/.test(line)) {
    // Empty headers are a single line break, and its CRLF has already been consumed here.
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
  // Lossy decoding: a file name may have any bytes, and is only displayed.
  for (const line of head.toString().split(CRLF)) {
    if (line === '') continue
    const match = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[ \t]*(.*)$/s.exec(line)
    if (!match?.[1]) throw new MultipartFault('malformed_multipart', 'A part has an invalid header line.')
    headers.set(match[1].toLowerCase(), match[2]?.trim() ?? '')
  }
  const encoding = headers.get('content-transfer-encoding')?.toLowerCase()
  if (encoding && !['7bit', '8bit', 'binary'].includes(encoding)) {
    throw new MultipartFault(
      'malformed_multipart',
      `The transfer encoding ${encoding} is not supported in a form.`,
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
 * `UTF-8''na%C3%AFve.wav` (RFC 5987, which also allows ISO-8859-1), which some clients send for names beyond ASCII.
 * `isWhole` is false if some bytes are invalid in that encoding; they are replaced.
 */
function decodeExtended(value: string | undefined): { text: string; isWhole: boolean } | null {
  const [, charset, encoded] = /^(utf-8|iso-8859-1)'[^']*'(.*)$/is.exec(value ?? '') ?? []
  if (charset === undefined || encoded === undefined) return null
  // Every second piece is escaped.
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
      throw new MultipartFault('body_too_large', 'The fields of the form are too large.')
    }
    chunks.push(chunk)
  }
  return { text: decodeUtf8(Buffer.concat(chunks)), bytes }
}
