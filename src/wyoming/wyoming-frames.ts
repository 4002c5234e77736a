// The framing of the Wyoming protocol: a line of JSON, then the bytes of its data (JSON) and of its payload.
// https://github.com/OHF-Voice/wyoming#format

import { type ByteQueue, createByteQueue } from '../audio/byte-queue.ts'
import type { Problem } from '../http/kernel/problem.ts'
import { fail, type Result, succeed } from '../lib/result.ts'

export type WyomingEvent = {
  type: string
  /** of the line, overridden by the data bytes; fields that are null are left out */
  data: Record<string, unknown>
  payload: Uint8Array
}

export type SentEvent = { type: string; data?: object }

/** Names of Home Assistant's entities may be part of the data. Parsing more would block the server. */
const MAX_DATA_BYTES = 256 * 1024
/** Python's clients read lines of up to this length. */
const MAX_HEADER_BYTES = 64 * 1024
/** Two minutes at 16 kHz; clients usually send a tenth of a second at a time. */
const MAX_PAYLOAD_BYTES = 4 * 1024 ** 2

/** The release of the package `wyoming` that defines the events. */
const VERSION = '1.10.2'
const LINE_FEED = 10

export type FrameReader = {
  /** copies the bytes */
  push(bytes: Uint8Array): void
  /** the next event; null if more bytes are needed. After a failure, the position in the stream is unknown. */
  next(): Result<WyomingEvent | null, Problem>
}

type Header = { type: string; data: Record<string, unknown>; dataLength: number; payloadLength: number }

export function createFrameReader(): FrameReader {
  const held = createByteQueue()
  /** of the event whose data or payload has not arrived completely */
  let header: Header | null = null
  let searched = 0

  const readHeader = (): Result<Header | null, Problem> => {
    const end = held.peek(MAX_HEADER_BYTES).indexOf(LINE_FEED, searched)
    if (end >= 0) {
      searched = 0
      return headerOf(takeLine(held, end))
    }
    searched = held.length()
    return searched < MAX_HEADER_BYTES ? succeed(null) : fail(tooLong('line', MAX_HEADER_BYTES))
  }

  return {
    push: held.push,
    next() {
      if (header === null) {
        const read = readHeader()
        if (!read.ok || read.value === null) return read as Result<null, Problem>
        header = read.value
      }
      const { type, data, dataLength, payloadLength } = header
      if (held.length() < dataLength + payloadLength) return succeed(null)
      const more = dataLength === 0 ? succeed({}) : objectOf(held.take(dataLength), 'data')
      if (!more.ok) return more
      header = null
      const merged = { ...data, ...more.value }
      return succeed({ type, data: withoutNulls(merged), payload: held.take(payloadLength) })
    },
  }
}

function takeLine(held: ByteQueue, length: number): Uint8Array {
  const line = held.take(length)
  held.skip(1)
  return line
}

function headerOf(line: Uint8Array): Result<Header, Problem> {
  const read = objectOf(line, 'line')
  if (!read.ok) return read
  const { type, data = {}, data_length, payload_length } = read.value
  if (typeof type !== 'string') return fail(invalid('The type of an event must be a text.'))
  if (data !== null && !isObject(data)) return fail(invalid('The data of an event must be a JSON object.'))
  const dataLength = lengthOf(data_length)
  if (dataLength === null) return fail(invalid('data_length must be a whole number, 0 or more.'))
  if (dataLength > MAX_DATA_BYTES) return fail(tooLong('data', MAX_DATA_BYTES))
  const payloadLength = lengthOf(payload_length)
  if (payloadLength === null) return fail(invalid('payload_length must be a whole number, 0 or more.'))
  if (payloadLength > MAX_PAYLOAD_BYTES) return fail(tooLong('payload', MAX_PAYLOAD_BYTES))
  return succeed({ type, data: data ?? {}, dataLength, payloadLength })
}

/** Absent and null mean 0. */
const lengthOf = (given: unknown): number | null => {
  const length = given ?? 0
  return Number.isSafeInteger(length) && (length as number) >= 0 ? (length as number) : null
}

function objectOf(bytes: Uint8Array, part: 'line' | 'data'): Result<Record<string, unknown>, Problem> {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (isObject(value)) return succeed(value)
  } catch {
    // Not UTF-8, or not JSON.
  }
  return fail(
    invalid(
      part === 'line'
        ? 'This port speaks the Wyoming protocol: each event begins with a line of JSON, such as {"type": "describe"}.'
        : 'The data of an event must be a JSON object of data_length bytes.',
    ),
  )
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

const withoutNulls = (data: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null))

const invalid = (detail: string): Problem => ({ code: 'invalid_request', detail })

const tooLong = (part: 'line' | 'data' | 'payload', bytes: number): Problem => ({
  code: 'body_too_large',
  detail: `The ${part} of an event may have up to ${bytes / 1024} KiB.`,
})

/** The data always follows the line: Python's clients read no line longer than 64 KiB. */
export function encodeEvent({ type, data }: SentEvent): string {
  const text = data === undefined ? '' : JSON.stringify(data)
  const lengths = text === '' ? {} : { data_length: Buffer.byteLength(text) }
  return `${JSON.stringify({ type, version: VERSION, ...lengths })}\n${text}`
}
