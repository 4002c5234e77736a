// Writes WebM as live recorders do, with open sizes, from any tracks and blocks.

const big = (value: number, bytes: number) =>
  Array.from({ length: bytes }, (_, at) => Math.floor(value / 256 ** (bytes - 1 - at)) & 255)

/** An element with an eight-byte size, which can declare any length. */
export function element(id: number[], body: Uint8Array | number[], claimed = body.length): Uint8Array {
  return Buffer.concat([Buffer.from([...id, 1, ...big(claimed, 7)]), Buffer.from(body)])
}

const OPEN = [1, 255, 255, 255, 255, 255, 255, 255]
const text = (characters: string) => [...Buffer.from(characters)]

export const EBML_HEADER = element([0x1a, 0x45, 0xdf, 0xa3], element([0x42, 0x82], text('webm')))
export const SEGMENT = Buffer.from([0x18, 0x53, 0x80, 0x67, ...OPEN])
export const CLUSTER = Buffer.from([0x1f, 0x43, 0xb6, 0x75, ...OPEN])

export type TestTrack = { number: number; type: number; codec: string; head?: Uint8Array }

export const trackOf = ({ number, type, codec, head }: TestTrack): Uint8Array =>
  element(
    [0xae],
    Buffer.concat([
      element([0xd7], [number]),
      element([0x83], [type]),
      element([0x86], text(codec)),
      ...(head ? [element([0x63, 0xa2], head)] : []),
    ]),
  )

export const tracksOf = (...tracks: Uint8Array[]): Uint8Array =>
  element([0x16, 0x54, 0xae, 0x6b], Buffer.concat(tracks))

/** @param time in milliseconds, relative to the cluster, up to half a minute */
export const simpleBlock = (track: number, packet: Uint8Array, time = 0): Uint8Array =>
  element([0xa3], Buffer.concat([Buffer.from([0x80 | track, ...big(time, 2), 0]), packet]))

/** @param seconds start time */
export const clusterAt = (seconds: number, blocks: readonly Uint8Array[]): Uint8Array =>
  element(
    [0x1f, 0x43, 0xb6, 0x75],
    Buffer.concat([element([0xe7], big(Math.round(seconds * 1000), 8)), ...blocks]),
  )

/** Several packets in one block with Xiph lacing, in a block group. */
export function lacedBlock(track: number, packets: readonly Uint8Array[]): Uint8Array {
  const sizes = packets
    .slice(0, -1)
    .flatMap(({ length }) => [...Array.from({ length: Math.floor(length / 255) }, () => 255), length % 255])
  const head = [0x80 | track, 0, 0, 0b010, packets.length - 1, ...sizes]
  return element([0xa0], element([0xa1], Buffer.concat([Buffer.from(head), ...packets])))
}
