// The header of WAV files, and their samples in 16 bits.

export const WAV_HEADER_BYTES = 44

const FORMATS = { s16: { tag: 1, bytes: 2 }, f32: { tag: 3, bytes: 4 } } as const
/** RIFF sizes have 32 bits (37 hours at 16 kHz); this value also means that the length is not known yet. */
const MAX_RIFF_BYTES = 0xffff_ffff

export type WavShape = {
  sample: keyof typeof FORMATS
  /** in Hz */
  rate: number
  /** null if the length is not known yet */
  dataBytes: number | null
}

export function wavHeaderOf({ sample, rate, dataBytes }: WavShape): Uint8Array<ArrayBuffer> {
  const { tag, bytes } = FORMATS[sample]
  const known = dataBytes ?? MAX_RIFF_BYTES
  const header = new Uint8Array(WAV_HEADER_BYTES)
  const view = new DataView(header.buffer)
  header.set(new TextEncoder().encode('RIFF....WAVEfmt ....'))
  view.setUint32(4, Math.min(MAX_RIFF_BYTES, WAV_HEADER_BYTES - 8 + known), true)
  view.setUint32(16, 16, true)
  view.setUint16(20, tag, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, rate, true)
  view.setUint32(28, rate * bytes, true)
  view.setUint16(32, bytes, true)
  view.setUint16(34, bytes * 8, true)
  header.set(new TextEncoder().encode('data'), 36)
  view.setUint32(40, Math.min(MAX_RIFF_BYTES, known), true)
  return header
}

/** @param samples in −1…1 */
export function toInt16Bytes(samples: Float32Array): Uint8Array<ArrayBuffer> {
  const out = new Int16Array(samples.length)
  for (let i = 0; i < samples.length; i++) out[i] = Math.round(samples[i]! * 32_767)
  return new Uint8Array(out.buffer)
}
