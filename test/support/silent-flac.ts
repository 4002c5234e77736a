// FLAC files of silence: hours in a few kilobytes, as an attacker or a forgotten microphone produces them. Built by
// hand (RFC 9639): frames of one constant sample value.

const RATE = 16_000
const BLOCK_SAMPLES = 65_535

/** @param declaredSeconds the length in the header; 0 for unknown */
export function silentFlac(seconds: number, declaredSeconds = seconds): Uint8Array<ArrayBuffer> {
  const frames = Array.from({ length: Math.ceil((seconds * RATE) / BLOCK_SAMPLES) }, (_, index) =>
    frame(index),
  )
  const samples = Math.round(declaredSeconds * RATE)
  const info = Buffer.alloc(34)
  info.writeUInt16BE(BLOCK_SAMPLES, 0)
  info.writeUInt16BE(BLOCK_SAMPLES, 2)
  // 20 bits of rate, 3 of channels minus one, 5 of bits minus one, 36 of samples.
  info.writeUInt32BE(((RATE << 12) | (15 << 4) | Math.floor(samples / 2 ** 32)) >>> 0, 10)
  info.writeUInt32BE(samples % 2 ** 32, 14)
  return new Uint8Array(Buffer.concat([Buffer.from('fLaC'), Buffer.from([0x80, 0, 0, 34]), info, ...frames]))
}

function frame(index: number): Buffer {
  const head = Buffer.from([0xff, 0xf8, 0x70, 0x00, ...numberOf(index), 0xff, 0xfe])
  const body = Buffer.concat([head, Buffer.from([crc(head, 8, 0x07), 0, 0, 0])])
  const end = Buffer.alloc(2)
  end.writeUInt16BE(crc(body, 16, 0x8005))
  return Buffer.concat([body, end])
}

/** As UTF-8 encodes code points. */
const numberOf = (index: number): number[] => [...Buffer.from(String.fromCodePoint(index))]

function crc(bytes: Uint8Array, bits: 8 | 16, polynomial: number): number {
  const [top, mask] = [1 << (bits - 1), (1 << bits) - 1]
  let sum = 0
  for (const byte of bytes) {
    sum ^= byte << (bits - 8)
    for (let bit = 0; bit < 8; bit++) sum = ((sum << 1) ^ (sum & top ? polynomial : 0)) & mask
  }
  return sum
}
