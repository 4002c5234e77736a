// Malicious recordings: they declare more than they contain, nest deeply, or unpack to hours.
// Used by the decoder's tests and the fuzz harness.

import { join } from 'node:path'
import { SPEECH_FOLDER } from './decoded.ts'

const bytesOf = (...parts: (string | number[] | Uint8Array)[]) =>
  new Uint8Array(Buffer.concat(parts.map((part) => Buffer.from(part as string, 'latin1'))))
const little = (value: number, bytes: number) =>
  Array.from({ length: bytes }, (_, i) => Math.floor(value / 256 ** i) & 255)
const big = (value: number, bytes: number) => little(value, bytes).reverse()
const formatFile = (name: string) => Bun.file(join(SPEECH_FOLDER, 'formats', name)).bytes()

type WavClaims = {
  rate?: number
  channels?: number
  bits?: number
  tag?: number
  dataBytes?: number
  body?: Uint8Array
}

/** A WAV file with any header values, followed by `body`. */
export function wavClaiming(claims: WavClaims): Uint8Array {
  const { rate = 16_000, channels = 1, bits = 16, tag = 1, body = new Uint8Array(32_000) } = claims
  const frameBytes = (channels * bits) / 8
  const format = [little(tag, 2), little(channels, 2), little(rate, 4), little(rate * frameBytes, 4)].flat()
  const header = [...format, ...little(frameBytes, 2), ...little(bits, 2)]
  const data = ['data', little(claims.dataBytes ?? body.length, 4), body]
  return bytesOf('RIFF', little(36 + body.length, 4), 'WAVEfmt ', little(16, 4), header, ...data)
}

/** Overwrites an unsigned 32-bit number `offset` bytes after a box name. */
async function m4aWith(box: string, offset: number, value = 0xffff_ffff): Promise<Uint8Array> {
  const bytes = Buffer.from(await formatFile('m4a-aac.m4a'))
  bytes.writeUInt32BE(value, bytes.indexOf(box) + 4 + offset)
  return new Uint8Array(bytes)
}

function oggPage(flags: number, granule: number, packets: Uint8Array[]): Uint8Array {
  const header = ['OggS', [0, flags], little(granule, 8), little(1, 4), little(0, 4), little(0, 4)]
  return bytesOf(
    ...header,
    [packets.length],
    packets.map((packet) => packet.length),
    ...packets,
  )
}

const opusHead = (channels: number, family: number) =>
  bytesOf(
    'OpusHead',
    [1, channels],
    little(312, 2),
    little(48_000, 4),
    [0, 0, family, 1, 0],
    new Uint8Array(channels),
  )

/** Opus packets of two bytes, each 120 ms of silence; an hour takes 90 kB. */
export function opusSilence(hours: number): Uint8Array {
  const tags = bytesOf('OpusTags', little(0, 4), little(0, 4))
  const silence = bytesOf([0x1b, 2])
  const page = oggPage(
    0,
    0,
    Array.from({ length: 250 }, () => silence),
  )
  const pages = Array.from({ length: Math.round(hours * 120) }, () => page)
  return bytesOf(oggPage(2, 0, [opusHead(1, 0).subarray(0, 19)]), oggPage(0, 0, [tags]), ...pages)
}

async function flacClaiming2To36Samples(): Promise<Uint8Array> {
  const bytes = await formatFile('flac-48k.flac')
  // The 36-bit sample count begins in the low half of byte 13 of STREAMINFO, which starts at 8.
  bytes[21] = bytes[21]! | 0x0f
  bytes.fill(0xff, 22, 26)
  return bytes
}

/** Malicious files by what they claim. */
export async function hostileFiles(): Promise<Record<string, Uint8Array>> {
  const nested = Array.from({ length: 5000 }, (_, i) => bytesOf(big(8 * (5000 - i), 4), 'moov'))
  const aiff = Buffer.from(await formatFile('aiff.aiff'))
  aiff.writeUInt32BE(0xffff_ffff, aiff.indexOf('COMM') + 10)
  return {
    'a WAV that claims 4 GB': wavClaiming({ dataBytes: 0xffff_fff0 }),
    'a WAV that claims 65,535 channels': wavClaiming({ channels: 65_535 }),
    'a WAV that claims 65 channels': wavClaiming({ channels: 65 }),
    'a WAV that claims no channels': wavClaiming({ channels: 0 }),
    'a WAV that claims 0 Hz': wavClaiming({ rate: 0 }),
    'a WAV that claims 1 Hz': wavClaiming({ rate: 1 }),
    'a WAV that claims 4 GHz': wavClaiming({ rate: 0xffff_ffff }),
    'a WAV with samples of no bits': wavClaiming({ bits: 0 }),
    'a WAV without samples': wavClaiming({ body: new Uint8Array(0) }),
    'a FLAC that claims 2^36 samples': await flacClaiming2To36Samples(),
    'an mp4 that claims 2^32-1 sample sizes': await m4aWith('stsz', 8),
    'an mp4 that claims 2^32-1 times': await m4aWith('stts', 4),
    'an mp4 that claims 2^32-1 chunks': await m4aWith('stco', 4),
    'an mp4 that claims 2^32-1 chunk lengths': await m4aWith('stsc', 4),
    'an mp4 of 5,000 nested moov boxes': bytesOf(...nested),
    'an AIFF that claims 2^32-1 frames': new Uint8Array(aiff),
    'an Opus of 255 channels': bytesOf(
      oggPage(2, 0, [opusHead(255, 255)]),
      oggPage(0, 0, [bytesOf('OpusTags')]),
    ),
  }
}
