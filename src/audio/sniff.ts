// Detects the format of a recording from its first bytes alone, behind any tags. File names and declared types are ignored.

import { closeSync, openSync, type PathLike, readSync } from 'node:fs'
import type { AudioKind } from './audio-file.ts'
import { findSignature, KINDS, kindBySignature, latin1 } from './formats.ts'
import { findFrames, isGsm } from './frame-sync.ts'
import { looksLikeText, unreadableFormat } from './unreadable-formats.ts'

const ID3_HEAD_BYTES = 10
const APE_HEAD_BYTES = 32

/** The length of the tag at the start of the bytes, or 0 if there is none. */
const tagLength = (bytes: Uint8Array): number => id3Length(bytes) ?? apeLength(bytes) ?? 0

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

/** The number of bytes after the tags that recognition may need. */
export const SNIFF_BYTES = 64 * 1024

/** `at`: the offset where the recording begins, after tags, zeros and other leading bytes. */
export type Recognised = { kind: AudioKind; at: number }

export type Sniffer = {
  /** returns true once: after the chunk that completes the bytes for `recognised` */
  add(chunk: Uint8Array): boolean
  /** null for anything but audio or video; call it earlier only if the whole file was added */
  recognised(): Recognised | null
  /** the examined start of the file, after its tags */
  head(): Uint8Array
}

/** Recognises a recording while it arrives. Skips tags of any size, because they may contain pictures. */
export function createSniffer(): Sniffer {
  const buffer = new Uint8Array(SNIFF_BYTES)
  let length = 0
  let headAt = 0
  let toSkip = 0
  let isDone = false

  /** @returns whether a tag was dropped */
  function dropTag(): boolean {
    const tag = tagLength(buffer.subarray(0, length))
    buffer.copyWithin(0, tag, length)
    toSkip = Math.max(0, tag - length)
    length = Math.max(0, length - tag)
    headAt += tag
    return tag > 0
  }

  return {
    add(chunk) {
      for (let at = 0; at < chunk.length && !isDone; ) {
        const skipped = Math.min(toSkip, chunk.length - at)
        toSkip -= skipped
        at += skipped
        const part = chunk.subarray(at, at + SNIFF_BYTES - length)
        buffer.set(part, length)
        length += part.length
        at += part.length
        if (length === SNIFF_BYTES && !dropTag()) {
          isDone = true
          return true
        }
      }
      return false
    },
    recognised() {
      while (!isDone && dropTag());
      const found = recognise(buffer.subarray(0, length))
      return found && { kind: found.kind, at: headAt + found.at }
    },
    head: () => buffer.subarray(0, length),
  }
}

function recognise(bytes: Uint8Array): Recognised | null {
  if (unreadableFormat(bytes) !== null) return null
  const kind = kindAtStart(bytes)
  if (kind !== null) return { kind, at: 0 }
  return recogniseBehindZeros(bytes) ?? (looksLikeText(bytes) ? null : recogniseBehindOtherBytes(bytes))
}

const kindAtStart = (bytes: Uint8Array): AudioKind | null =>
  kindBySignature(bytes) ?? sniffMatroska(bytes) ?? sniffMp4(bytes) ?? sniffFrames(bytes)

/** From an interrupted recorder, or a copy of a damaged disk. Up to three zeros belong to the format itself. */
function recogniseBehindZeros(bytes: Uint8Array): Recognised | null {
  const zeros = bytes.findIndex((byte) => byte !== 0)
  if (zeros < 1) return null
  for (let at = zeros; at >= Math.max(1, zeros - 3); at--) {
    const kind = kindAtStart(bytes.subarray(at))
    if (kind !== null) return { kind, at }
  }
  return null
}

function recogniseBehindOtherBytes(bytes: Uint8Array): Recognised | null {
  const at = findSignature(bytes)
  const kind = at === null ? null : kindAtStart(bytes.subarray(at))
  if (at !== null && kind !== null) return { kind, at }
  const frames = findFrames(bytes)
  return frames && { kind: KINDS[frames.format], at: frames.at }
}

function sniffMatroska(bytes: Uint8Array): AudioKind | null {
  const start = latin1(bytes.subarray(0, 64))
  if (!start.startsWith('\x1a\x45\xdf\xa3')) return null
  return start.includes('webm') ? KINDS.webm : KINDS.matroska
}

/** Boxes that can come first in QuickTime files without ftyp. */
const FIRST_BOXES = ['moov', 'mdat', 'wide', 'free', 'skip', 'moof', 'styp', 'pnot']

function sniffMp4(bytes: Uint8Array): AudioKind | null {
  const box = latin1(bytes.subarray(4, 8))
  if (box === 'ftyp') {
    const brand = latin1(bytes.subarray(8, 12))
    if (brand === 'qt  ') return KINDS.mov
    return /^3g[ep2rs]/.test(brand) ? KINDS.threeGp : KINDS.mp4
  }
  if (!FIRST_BOXES.includes(box)) return null
  // 0 extends to the end of the file; 1 announces a 64-bit size.
  const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0)
  return size <= 1 || size >= 8 ? KINDS.mov : null
}

/** Formats without a header, which consist of frames that declare their length. */
function sniffFrames(bytes: Uint8Array): AudioKind | null {
  if (isTransportStream(bytes)) return KINDS.mpegts
  const frames = findFrames(bytes, { atStart: true })
  if (frames !== null) return KINDS[frames.format]
  return isGsm(bytes) ? KINDS.gsm : null
}

/** Packets of 188 bytes, or 192 with a time stamp in front (as cameras write), or 204 with a checksum at the end. */
function isTransportStream(bytes: Uint8Array): boolean {
  const everyPacketSynced = (first: number, packetBytes: number) => {
    const packets = Math.min(5, Math.floor((bytes.length - first) / packetBytes))
    if (packets < 2) return false
    for (let i = 0; i < packets; i++) if (bytes[first + i * packetBytes] !== 0x47) return false
    return true
  }
  return everyPacketSynced(0, 188) || everyPacketSynced(4, 192) || everyPacketSynced(0, 204)
}

/** The format of a file and the offset where its audio begins; null if it is not a recording. */
export function sniffFile(path: PathLike): Recognised | null {
  const file = openSync(path, 'r')
  try {
    const sniffer = createSniffer()
    const chunk = new Uint8Array(SNIFF_BYTES)
    for (;;) {
      const bytes = readSync(file, chunk)
      if (bytes === 0 || sniffer.add(chunk.subarray(0, bytes))) return sniffer.recognised()
    }
  } finally {
    closeSync(file)
  }
}
