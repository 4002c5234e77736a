// The header of an Ogg page (RFC 3533), for files and live streams.

export type OggPageHead = {
  isContinued: boolean
  isFirst: boolean
  isLast: boolean
  /** samples up to the end of the last packet that ends in this page; −1 if none does */
  granule: number
  serial: number
  /** segment lengths; a packet continues after a segment of 255 */
  lengths: Uint8Array
  /** length of the header; the body follows it */
  bytes: number
  bodyBytes: number
}

const FIXED_BYTES = 27
export const MAX_PAGE_HEAD_BYTES = FIXED_BYTES + 255
const NAME = [...'OggS'].map((character) => character.charCodeAt(0))

/** Whether the bytes are the beginning of a page, or a prefix of one. */
export const beginsPage = (bytes: Uint8Array): boolean =>
  NAME.every((byte, at) => at >= bytes.length || bytes[at] === byte)

/** Null if the bytes are not a page or its header is incomplete. */
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
