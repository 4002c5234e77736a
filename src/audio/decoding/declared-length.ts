// Reads the length that a recording's headers declare, before anything is decoded. A header may be wrong, so the
// decoder also counts its output; an impossible length is recognised.

import { type ByteSource, fourCc } from './byte-source.ts'
import { declaredSeconds } from './matroska.ts'
import { mp4Seconds } from './mp4-boxes.ts'
import { MAX_PAGE_HEAD_BYTES, readPageHead } from './ogg-page.ts'
import { checkFormat } from './pcm-sink.ts'
import { OUTPUT_RATE } from './resampler.ts'
import { frameBytesOf } from './sample-formats.ts'
import { auSamples, type StoredSamples, wavSamples } from './wav.ts'

/** `isExact`: the length of the audio itself. A container's length may be that of a video track. */
export type DeclaredLength = { seconds: number; isExact: boolean }

const READERS: Record<string, (source: ByteSource) => DeclaredLength | null> = {
  wav: (source) => lengthOfStored(source, wavSamples(source)),
  au: (source) => lengthOfStored(source, [auSamples(source)]),
  flac: (source) => lengthOfFlac(source, source.read(0, 42)),
  ogg: lengthOfOgg,
  webm: lengthOfMatroska,
  matroska: lengthOfMatroska,
  mp4: lengthOfMp4,
  mov: lengthOfMp4,
  '3gp': lengthOfMp4,
}

/** Every codec needs more, even for silence. A container that declares less would reserve space for nothing. */
const MIN_BYTES_PER_SECOND = 100

/** Null if the headers declare no length or an impossible one. */
export function declaredLength(source: ByteSource, format: string): DeclaredLength | null {
  try {
    const length = READERS[format]?.(source) ?? null
    if (length === null || !(length.seconds > 0)) return null
    const most = length.isExact ? Number.MAX_VALUE : source.size / MIN_BYTES_PER_SECOND
    return length.seconds <= most ? length : null
  } catch {
    // The decoder reports what is wrong with the file.
    return null
  }
}

function lengthOfStored(source: ByteSource, parts: Iterable<StoredSamples>): DeclaredLength {
  let seconds = 0
  for (const { layout, at, end } of parts) {
    checkFormat(layout.rate, layout.channels)
    seconds += Math.floor((Math.min(end, source.size) - at) / frameBytesOf(layout)) / layout.rate
  }
  return { seconds, isExact: true }
}

/** The shortest possible frame and the most samples in one (RFC 9639). A higher declared ratio is false. */
const FLAC_FRAME = { bytes: 10, samples: 65_535 }

/** RFC 9639, section 8.2. @param head from the signature `fLaC` on */
function lengthOfFlac(source: ByteSource, head: Uint8Array): DeclaredLength | null {
  if (fourCc(head, 0) !== 'fLaC' || head.length < 42) return null
  const fields = view(head)
  const rate = fields.getUint32(18) >>> 12
  const samples = (head[21]! & 15) * 2 ** 32 + fields.getUint32(22)
  checkFormat(rate, 1)
  if (samples > (source.size / FLAC_FRAME.bytes) * FLAC_FRAME.samples) return null
  return { seconds: samples / rate, isExact: true }
}

const OGG_TAIL_BYTES = 2 * 65_307
/** Pages with headers have position 0 and come before the audio. */
const MAX_HEAD_PAGES = 1000

/** From the first declared position to the last one: a stream cut out of a longer one does not begin at 0. */
function lengthOfOgg(source: ByteSource): DeclaredLength | null {
  const first = readPageHead(source.read(0, MAX_PAGE_HEAD_BYTES))
  if (first === null) return null
  const rate = oggRate(source.read(first.bytes, 64))
  if (rate === null) return null
  checkFormat(rate, 1)
  const last = lastGranule(source, first.serial)
  const begins = firstGranule(source, first.serial)
  return last === null || begins === null ? null : { seconds: (last - begins) / rate, isExact: true }
}

function oggRate(packet: Uint8Array): number | null {
  const name = String.fromCharCode(...packet.subarray(0, 8))
  if (name === 'OpusHead') return 48_000
  if (name.startsWith('\x01vorbis')) return view(packet).getUint32(12, true)
  return name.startsWith('\x7fFLAC') ? view(packet).getUint32(27) >>> 12 : null
}

function firstGranule(source: ByteSource, serial: number): number | null {
  for (let at = 0, pages = 0; at < source.size && pages < MAX_HEAD_PAGES; pages++) {
    const page = readPageHead(source.read(at, MAX_PAGE_HEAD_BYTES))
    if (page === null) return null
    if (page.serial === serial && page.granule > 0) return page.granule
    at += page.bytes + page.bodyBytes
  }
  return null
}

function lastGranule(source: ByteSource, serial: number): number | null {
  const from = Math.max(0, source.size - OGG_TAIL_BYTES)
  const tail = Buffer.from(source.read(from, OGG_TAIL_BYTES).slice())
  for (let at = tail.lastIndexOf('OggS'); at >= 0; at = at === 0 ? -1 : tail.lastIndexOf('OggS', at - 1)) {
    const page = readPageHead(tail.subarray(at, at + MAX_PAGE_HEAD_BYTES))
    if (page?.serial === serial && page.granule > 0) return page.granule
  }
  return null
}

function lengthOfMatroska(source: ByteSource): DeclaredLength {
  return { seconds: declaredSeconds(source), isExact: false }
}

function lengthOfMp4(source: ByteSource): DeclaredLength | null {
  const seconds = mp4Seconds(source)
  return seconds === null ? null : { seconds, isExact: false }
}

const view = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** The highest bitrate of each format, in kbit/s. Containers that may contain video have no limit. */
const MAX_KBITS: Record<string, number> = {
  mp3: 640,
  aac: 1600,
  loas: 1600,
  ac3: 6144,
  dts: 24_500,
  gsm: 13.2,
  amr: 26,
  dss: 32,
  flac: 40_000,
  wavpack: 40_000,
  ape: 40_000,
  tta: 40_000,
}

/** @param bytes size of the file, @param samples number of decoded samples, at 16 kHz */
export function isImplausiblyShort(format: string, bytes: number, samples: number): boolean {
  const maxKbits = MAX_KBITS[format] ?? Number.POSITIVE_INFINITY
  return samples > 0 && bytes * 8 > ((maxKbits * 1000) / OUTPUT_RATE) * samples
}
