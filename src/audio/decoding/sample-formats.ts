// Converts uncompressed interleaved samples of every format to floats per channel, for WAV, AU and PCM in Matroska.

import type { ByteSource } from './byte-source.ts'
import { DecodeError } from './decode-error.ts'
import { checkFormat, type PcmSink } from './pcm-sink.ts'

export type SampleFormat = 'u8' | 's8' | 's16' | 's24' | 's32' | 'f32' | 'f64' | 'alaw' | 'mulaw'

export type PcmLayout = {
  sample: SampleFormat
  littleEndian: boolean
  rate: number
  channels: number
}

const SAMPLE_BYTES: Record<SampleFormat, number> = {
  u8: 1,
  s8: 1,
  alaw: 1,
  mulaw: 1,
  s16: 2,
  s24: 3,
  s32: 4,
  f32: 4,
  f64: 8,
}

/** Bytes of one sample of each channel. */
export const frameBytesOf = ({ sample, channels }: PcmLayout): number => SAMPLE_BYTES[sample] * channels

const FRAMES_PER_PUSH = 8192

const IS_LITTLE_ENDIAN = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1

/** Reads frames from `at` up to `end` into the sink, without an incomplete frame at the end. */
export function pushPcm(
  source: ByteSource,
  span: { at: number; end: number },
  layout: PcmLayout,
  sink: PcmSink,
) {
  checkFormat(layout.rate, layout.channels)
  const frameBytes = frameBytesOf(layout)
  const end = Math.min(span.end, source.size)
  for (let at = span.at; at + frameBytes <= end; at += FRAMES_PER_PUSH * frameBytes) {
    const frames = Math.min(FRAMES_PER_PUSH, Math.floor((end - at) / frameBytes))
    sink.push(toChannels(source.read(at, frames * frameBytes), layout), layout.rate)
  }
}

/** @param bytes whole frames; an incomplete one at the end is ignored */
export function toChannels(bytes: Uint8Array, layout: PcmLayout): Float32Array[] {
  const sampleBytes = SAMPLE_BYTES[layout.sample]
  const frameBytes = sampleBytes * layout.channels
  const frames = Math.floor(bytes.length / frameBytes)
  if (layout.sample === 's16' && layout.littleEndian && IS_LITTLE_ENDIAN)
    return fromInt16(bytes, layout.channels, frames)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const readSample = sampleReader(layout.sample, view, layout.littleEndian)
  return Array.from({ length: layout.channels }, (_, channel) => {
    const samples = new Float32Array(frames)
    for (let i = 0; i < frames; i++) samples[i] = readSample(i * frameBytes + channel * sampleBytes)
    return samples
  })
}

/** A fast path for the most common format, several times as fast. */
function fromInt16(bytes: Uint8Array, channels: number, frames: number): Float32Array[] {
  // Copied for alignment. A Buffer's own slice does not copy, and shares its memory with others.
  const copied = Uint8Array.prototype.slice.call(bytes, 0, frames * channels * 2)
  const interleaved = new Int16Array(copied.buffer)
  return Array.from({ length: channels }, (_, channel) => {
    const samples = new Float32Array(frames)
    for (let i = 0, at = channel; i < frames; i++, at += channels) samples[i] = interleaved[at]! / 32_768
    return samples
  })
}

function sampleReader(sample: SampleFormat, view: DataView, little: boolean): (at: number) => number {
  switch (sample) {
    case 'u8':
      return (at) => (view.getUint8(at) - 128) / 128
    case 's8':
      return (at) => view.getInt8(at) / 128
    case 's16':
      return (at) => view.getInt16(at, little) / 32_768
    case 's24':
      return (at) => readInt24(view, at, little) / 8_388_608
    case 's32':
      return (at) => view.getInt32(at, little) / 2_147_483_648
    case 'f32':
      return (at) => view.getFloat32(at, little)
    case 'f64':
      return (at) => view.getFloat64(at, little)
    case 'alaw':
      return (at) => ALAW[view.getUint8(at)]!
    case 'mulaw':
      return (at) => MULAW[view.getUint8(at)]!
  }
}

function readInt24(view: DataView, at: number, little: boolean): number {
  const [low, high] = little ? [at, at + 2] : [at + 2, at]
  return (view.getInt8(high) << 16) | (view.getUint8(at + 1) << 8) | view.getUint8(low)
}

/** G.711: a sign, three bits of exponent, four of mantissa. */
const ALAW = Float32Array.from({ length: 256 }, (_, code) => {
  const bits = code ^ 0x55
  const exponent = (bits >> 4) & 7
  const mantissa = ((bits & 15) << 4) | 8
  const magnitude = exponent === 0 ? mantissa : (mantissa | 0x100) << (exponent - 1)
  return (bits & 0x80 ? magnitude : -magnitude) / 32_768
})
const MULAW = Float32Array.from({ length: 256 }, (_, code) => {
  const bits = ~code & 0xff
  const magnitude = ((((bits & 15) << 3) | 0x84) << ((bits >> 4) & 7)) - 0x84
  return (bits & 0x80 ? -magnitude : magnitude) / 32_768
})

/** The integer format with this many bytes per sample. */
export function integerFormat(bytes: number, oneByte: 'u8' | 's8'): SampleFormat {
  const format = [oneByte, 's16', 's24', 's32'][bytes - 1] as SampleFormat | undefined
  if (format === undefined)
    throw new DecodeError('unsupported', `Samples of ${bytes} bytes are not supported.`)
  return format
}
