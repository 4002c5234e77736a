// Reads a JSON or text body, and drains the body of a rejected request. The size limit applies to the declared and to the
// counted size.

import { type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { fail, type Result, succeed } from '../../lib/result.ts'
import type { Connection } from './connection.ts'
import { type Fault, invalidRequest, type Problem } from './problem.ts'

/** A client that sends more than this is disconnected, and may not receive the response. */
export const MAX_DRAINED_BYTES = 64 * 1024 ** 2

/** How long to wait for a stalled client. Over loopback the maximum above takes a tenth of this. */
const PATIENCE_MS = 2000

/** False for a body of unknown length, such as a live recording, which may not end soon. */
export function isWorthDraining(request: Request): boolean {
  const bytes = Number(request.headers.get('content-length') ?? 0)
  return bytes > 0 && bytes <= MAX_DRAINED_BYTES
}

/** Waits until the unread body of a rejected request has arrived, unless the body is too large or the client stalls. */
export async function drainBody(request: Request, response: Response): Promise<void> {
  if (response.headers.get('connection') !== 'close' || !isWorthDraining(request)) return
  if (request.body === null || request.bodyUsed || request.body.locked) return
  const reader = request.body.getReader()
  const arrived = async () => {
    while (!(await reader.read()).done);
  }
  // A client that has disconnected needs no response.
  await waitOrCancel(
    arrived().catch(() => {}),
    () => reader.cancel().catch(() => {}),
  )
}

/** Waits until a discarded body has arrived, and calls `cancel` if the client stalls. */
export async function waitOrCancel(arrived: Promise<void>, cancel: () => void): Promise<void> {
  const patience = setTimeout(cancel, PATIENCE_MS)
  await arrived
  clearTimeout(patience)
}

const JSON_TYPE = 'application/json'

const MAX_JSON_BYTES = 1024 * 1024

/** A problem if the body has none of these types or is compressed; null if it may be read. */
export function checkMediaType(request: Request, accepted: readonly string[]): Problem | null {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  const list = accepted.join(' or ')
  if (!accepted.some((one) => isOfType(type, one))) {
    const sent = type === '' ? 'has no Content-Type' : `is ${type}`
    const detail = `The body ${sent}; send ${list}${howToSend(type, accepted)}.`
    return { code: 'unsupported_media_type', detail, accepted, headers: { connection: 'close' } }
  }
  // Decompressing untrusted input can turn a kilobyte into a gigabyte.
  const encoding = request.headers.get('content-encoding')
  if (encoding !== null && encoding.toLowerCase() !== 'identity') {
    const detail = `The body is compressed (${encoding}); send it uncompressed.`
    return { code: 'unsupported_media_type', detail, accepted, headers: { connection: 'close' } }
  }
  return null
}

/** A hint for a body without a type, or with curl's default type for -d. */
function howToSend(type: string, accepted: readonly string[]): string {
  if (type !== '' && type !== 'application/x-www-form-urlencoded') return ''
  if (accepted.includes(JSON_TYPE)) return ` with the header Content-Type: ${JSON_TYPE}`
  return accepted.includes('multipart/form-data') ? '; with curl: -F file=@/path/to/it' : ''
}

/** `audio/*` matches every audio type. */
const isOfType = (type: string, accepted: string): boolean =>
  accepted.endsWith('/*') ? type.startsWith(accepted.slice(0, -1)) : type === accepted

const declaresNoBody = (request: Request): boolean =>
  request.body === null || request.headers.get('content-length') === '0'

/**
 * Returns the parsed body; undefined only if the body is optional and absent. `accepted` lists the media types of the
 * route, JSON included, for the error message.
 */
export async function readJsonBody(
  request: Request,
  connection: Connection,
  { optional, accepted }: { optional: boolean; accepted: readonly string[] },
): Promise<Result<unknown, Problem>> {
  if (optional && declaresNoBody(request)) {
    connection.requestIsWhole()
    return succeed(undefined)
  }
  const wrongType = checkMediaType(request, accepted) ?? checkMediaType(request, [JSON_TYPE])
  if (wrongType) return fail(wrongType)
  const bytes = await readBytes(request, MAX_JSON_BYTES)
  if (!bytes.ok) return bytes
  connection.requestIsWhole()
  try {
    return succeed(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes.value)))
  } catch {
    return fail({ code: 'malformed_json', detail: 'The body is not valid JSON in UTF-8.' })
  }
}

/** Returns a text body of one of these types without checking its contents. */
export async function readTextBody(
  request: Request,
  connection: Connection,
  { accepted, maxBytes }: { accepted: readonly string[]; maxBytes: number },
): Promise<Result<string, Problem>> {
  const wrongType = checkMediaType(request, accepted)
  if (wrongType) return fail(wrongType)
  const bytes = await readBytes(request, maxBytes)
  if (!bytes.ok) return bytes
  connection.requestIsWhole()
  try {
    return succeed(new TextDecoder('utf-8', { fatal: true }).decode(bytes.value))
  } catch {
    return fail(invalidRequest([{ in: 'body', path: '', message: 'must be text in UTF-8' }]))
  }
}

async function readBytes(request: Request, maxBytes: number): Promise<Result<Uint8Array, Problem>> {
  const tooLarge: Problem = {
    code: 'body_too_large',
    detail: `The body is larger than ${maxBytes} bytes.`,
    headers: { connection: 'close' },
  }
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) return fail(tooLarge)
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of request.body ?? []) {
      bytes += chunk.length
      if (bytes <= maxBytes) chunks.push(chunk)
      else if (bytes > MAX_DRAINED_BYTES) break
    }
  } catch {
    return fail({ code: 'body_interrupted', detail: 'The connection broke while the body was arriving.' })
  }
  return bytes > maxBytes ? fail(tooLarge) : succeed(Buffer.concat(chunks))
}

/** The read-only properties as an update schema accepts them: optional. */
export const readOnly = <P extends TProperties>(properties: P) =>
  Type.Partial(
    Type.Object(
      Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, marked(schema)])) as P,
    ),
  ).properties

const marked = (schema: TSchema): TSchema => ({ ...schema, readOnly: true })

const CANNOT_CHANGE = 'cannot be changed; leave it out, or send it as GET returns it'

/**
 * Returns an error for each of the `fixed` properties whose sent value differs from the current one. `fixed` must not
 * contain values that change by themselves, such as use counts: the sent value may be older than the current one.
 */
export const changedReadOnly = (
  sent: Record<string, unknown>,
  current: Record<string, unknown>,
  fixed: readonly string[],
): Fault[] =>
  fixed
    .filter(
      (name) =>
        sent[name] !== undefined && !Bun.deepEquals(comparable(sent[name]), comparable(current[name])),
    )
    .map((name) => ({ in: 'body', path: `/${name}`, message: CANNOT_CHANGE }))

/** Ids are case-insensitive. */
const comparable = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value)

export const READ_ONLY_NOTE =
  'Read-only properties of the GET response may be sent back unchanged; use counts and times are ignored.'
