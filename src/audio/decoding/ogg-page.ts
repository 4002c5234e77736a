// The head of an Ogg page (RFC 3533), as files have it and streams that still arrive.
// What pages hold, and what damage means, is ogg.ts's and opus-stream/ogg-demuxer.ts's.

export type OggPageHead = {
  isContinued: boolean
  isFirst: boolean
  isLast: boolean
  /** samples of the stream up to the last packet that ends in the page; −1 where none does */
  granule: number
  serial: number
  /** of the parts of packets; a packet goes on behind 255 */
  lengths: Uint8Array
  /** of the head itself, behind which the body lies */
  bytes: number
  bodyBytes: number
}

const FIXED_BYTES = 27
export const MOST_PAGE_HEAD_BYTES = FIXED_BYTES + 255
const NAME = [...'OggS'].map((letter) => letter.charCodeAt(0))

/** As far as the bytes go. */
export const beginsPage = (bytes: Uint8Array): boolean =>
  NAME.every((byte, at) => at >= bytes.length || bytes[at] === byte)

/** Null where the bytes are no page, or end within its head. */
export function readPageHead(bytes: Uint8Array): OggPageHead | null {
  const parts = bytes[FIXED_BYTES - 1]
  if (!beginsPage(bytes) || parts === undefined || bytes.length < FIXED_BYTES + parts) return null
  const fields = new DataView(bytes.buffer, bytes.byteOffset, FIXED_BYTES)
  const flags = fields.getUint8(5)
  const lengths = bytes.slice(FIXED_BYTES, FIXED_BYTES + parts)
  return {
    isContinued: (flags & 1) !== 0,
    isFirst: (flags & 2) !== 0,
    isLast: (flags & 4) !== 0,
    granule: Number(fields.getBigInt64(6, true)),
    serial: fields.getUint32(14, true),
    lengths,
    bytes: FIXED_BYTES + parts,
    bodyBytes: lengths.reduce((sum, length) => sum + length, 0),
  }
}
