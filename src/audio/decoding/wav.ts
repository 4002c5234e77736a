// Reads uncompressed WAV (RIFF, RIFX, RF64, BW64; complete or truncated) and AU files.
// Compressed WAV (ADPCM, MP3 inside) fails as unsupported, so that another decoder tries it.

import type { ByteSource } from './byte-source.ts'
import { fourCc } from './byte-source.ts'
import { DecodeError } from './decode-error.ts'
import type { PcmSink } from './pcm-sink.ts'
import { integerFormat, type PcmLayout, pushPcm, type SampleFormat } from './sample-formats.ts'

const FORMAT_PCM = 1
const FORMAT_FLOAT = 3
const FORMAT_ALAW = 6
const FORMAT_MULAW = 7
const FORMAT_EXTENSIBLE = 0xfffe

/** A recorder that streams or was killed leaves this or 0 as the size. */
const UNKNOWN_SIZE = 0xffff_ffff
const MAX_CHUNKS = 4096

export function decodeWav(source: ByteSource, sink: PcmSink): void {
  for (const { layout, ...span } of wavSamples(source)) pushPcm(source, span, layout, sink)
}

/** `end` may be after the end of the file. */
export type StoredSamples = { layout: PcmLayout; at: number; end: number }

/** Yields one part, or several if files were joined. */
export function* wavSamples(source: ByteSource): Generator<StoredSamples> {
  const little = fourCc(source.read(0, 4), 0) !== 'RIFX'
  let layout: PcmLayout | null = null
  let dataBytes64: number | null = null
  let hasSamples = false
  let at = 12
  for (let chunk = 0; chunk < MAX_CHUNKS && at + 8 <= source.size; chunk++) {
    const head = source.read(at, 8)
    const name = fourCc(head, 0)
    const size = view(head).getUint32(4, little)
    const body = at + 8
    if (/^RI(FF|FX)$/.test(name) && fourCc(source.read(body, 4), 0) === 'WAVE') {
      // A second file was appended to the first.
      dataBytes64 = null
      layout = null
      at = body + 4
      continue
    }
    if (name === 'ds64' && size >= 16) dataBytes64 = Number(view(source.read(body, 16)).getBigUint64(8, true))
    if (name === 'fmt ') layout = readFormat(source.read(body, Math.min(size, 40)), little)
    if (name === 'data') {
      if (layout === null)
        throw new DecodeError('damaged', 'The WAV file does not declare its sample format.')
      const end = dataEnd(source, body, dataLength(source, body, size, dataBytes64))
      yield { layout, at: body, end }
      hasSamples = true
      at = nextChunk(source, end)
      continue
    }
    at = nextChunk(source, body + size)
  }
  if (!hasSamples) throw new DecodeError('damaged', 'The WAV file contains no samples.')
}

/** Chunks are padded to even lengths. Some writers forget it, so a chunk name at the odd offset overrides the rule. */
function nextChunk(source: ByteSource, end: number): number {
  if (end % 2 === 0) return end
  return !isName(source, end + 1) && isName(source, end) ? end : end + 1
}

/** Whether a chunk name or a tag begins here; the fourth byte of a tag may be anything. */
const isName = (source: ByteSource, at: number): boolean =>
  /^([\x20-\x7e]{4}|(ID3|TAG).)$/s.test(fourCc(source.read(at, 4), 0))

/** Fewer bytes at the end of the file are ignored. */
const MIN_SAMPLES_BYTES = 8

/**
 * A recorder that was killed leaves an outdated size. If neither a chunk nor only padding follows the declared end,
 * samples continue there.
 */
function dataEnd(source: ByteSource, body: number, length: number): number {
  const end = body + length
  const next = firstNonZero(source, end)
  const isFollowed = source.size - next >= MIN_SAMPLES_BYTES
  return isFollowed && !isName(source, next) && !isName(source, end + 1) ? source.size : end
}

/** @returns the size of the source if only zeros follow */
function firstNonZero(source: ByteSource, from: number): number {
  const step = 64 * 1024
  for (let at = from; at < source.size; at += step) {
    const found = source.read(at, step).findIndex((byte) => byte !== 0)
    if (found >= 0) return at + found
  }
  return source.size
}

function dataLength(source: ByteSource, body: number, size: number, size64: number | null): number {
  const rest = source.size - body
  if (size === UNKNOWN_SIZE) return size64 === null || size64 === 0 ? rest : size64
  return size === 0 ? rest : size
}

function readFormat(bytes: Uint8Array, little: boolean): PcmLayout {
  if (bytes.length < 16) throw new DecodeError('damaged', 'The header of the WAV file is cut short.')
  const fields = view(bytes)
  const tag = fields.getUint16(0, little)
  const channels = fields.getUint16(2, little)
  const bits = fields.getUint16(14, little)
  const format = tag === FORMAT_EXTENSIBLE && bytes.length >= 26 ? fields.getUint16(24, little) : tag
  // 20-bit samples take 3 bytes, and so on: the frame length determines their width.
  const blockBytes = fields.getUint16(12, little)
  const declared = channels > 0 && blockBytes % channels === 0 ? blockBytes / channels : 0
  const sampleBytes = declared >= Math.ceil(bits / 8) && declared > 0 ? declared : Math.ceil(bits / 8)
  const sample = sampleFormat(format, sampleBytes)
  return { sample, littleEndian: little, rate: fields.getUint32(4, little), channels }
}

function sampleFormat(format: number, bytes: number): SampleFormat {
  if (format === FORMAT_PCM) return integerFormat(bytes, 'u8')
  if (format === FORMAT_FLOAT && bytes === 4) return 'f32'
  if (format === FORMAT_FLOAT && bytes === 8) return 'f64'
  if (format === FORMAT_ALAW) return 'alaw'
  if (format === FORMAT_MULAW) return 'mulaw'
  throw new DecodeError('unsupported', 'The WAV file is compressed.')
}

/** Sample formats by the encoding number of an AU header. */
const AU_ENCODINGS: Record<number, SampleFormat> = {
  1: 'mulaw',
  2: 's8',
  3: 's16',
  4: 's24',
  5: 's32',
  6: 'f32',
  7: 'f64',
  27: 'alaw',
}

export function decodeAu(source: ByteSource, sink: PcmSink): void {
  const { layout, ...span } = auSamples(source)
  pushPcm(source, span, layout, sink)
}

export function auSamples(source: ByteSource): StoredSamples {
  const header = source.read(0, 24)
  if (header.length < 24) throw new DecodeError('damaged', 'The header of the AU file is cut short.')
  const [at, size, encoding, rate, channels] = [4, 8, 12, 16, 20].map((offset) =>
    view(header).getUint32(offset),
  )
  const sample = AU_ENCODINGS[encoding!]
  if (sample === undefined) throw new DecodeError('unsupported', 'The AU file is compressed.')
  const end = size === UNKNOWN_SIZE ? source.size : at! + size!
  return { layout: { sample, littleEndian: false, rate: rate!, channels: channels! }, at: at!, end }
}

function view(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
