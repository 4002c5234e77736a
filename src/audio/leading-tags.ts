// Measures the tags in front of a recording, ID3v2 and APEv2, so that they can be skipped.

import { latin1 } from './formats.ts'

const ID3_HEAD_BYTES = 10
const APE_HEAD_BYTES = 32

/** The length of the tag at the start of the bytes, or 0 if there is none. */
export const tagLength = (bytes: Uint8Array): number => id3Length(bytes) ?? apeLength(bytes) ?? 0

/** ID3v2.2 to 2.4: the size has four times seven bits, and a flag announces a footer. */
function id3Length(bytes: Uint8Array): number | null {
  if (latin1(bytes.subarray(0, 3)) !== 'ID3' || bytes.length < ID3_HEAD_BYTES || bytes[3]! > 4) return null
  const size = bytes.subarray(6, ID3_HEAD_BYTES)
  if (size.some((byte) => byte > 127)) return null
  const hasFooter = (bytes[5]! & 0x10) !== 0
  return size.reduce((sum, byte) => sum * 128 + byte, 0) + ID3_HEAD_BYTES * (hasFooter ? 2 : 1)
}

/** APEv2: the size excludes this header. */
function apeLength(bytes: Uint8Array): number | null {
  if (latin1(bytes.subarray(0, 8)) !== 'APETAGEX' || bytes.length < APE_HEAD_BYTES) return null
  return APE_HEAD_BYTES + new DataView(bytes.buffer, bytes.byteOffset).getUint32(12, true)
}
