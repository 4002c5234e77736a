// Creates damaged copies of a recording, reproducible by seed. Half of them keep their beginning, so that the format is
// still recognized.

export type MutantOptions = { seed: number; count: number }

/** Unchanged in every second mutant; enough to recognize the format. */
const KEPT_BYTES = 4096
/** Unchanged share of a short file. */
const KEPT_SHARE = 0.25

type Random = (below: number) => number

/** Numbers that break lengths, counts and offsets. */
const EXTREMES = [0, 1, 0x7f, 0x80, 0xff]

/** @returns `count` copies, each damaged in one to six places; the original is unchanged */
export function* mutantsOf(bytes: Uint8Array, { seed, count }: MutantOptions): Generator<Uint8Array> {
  const random = createRandom(seed)
  for (let i = 0; i < count; i++) {
    const kept = i % 2 === 0 ? 0 : Math.min(KEPT_BYTES, Math.floor(bytes.length * KEPT_SHARE))
    let mutant: Uint8Array = bytes.slice()
    for (let places = 1 + random(6); places > 0 && mutant.length > kept + 8; places--)
      mutant = MUTATIONS[random(MUTATIONS.length)]!(mutant, kept, random)
    yield mutant
  }
}

/** A multiplicative congruential generator modulo the prime 2^31 − 1 (Lewis, Goodman and Miller). */
function createRandom(seed: number): Random {
  const modulus = 2_147_483_647
  let state = (seed % (modulus - 1)) + 1
  return (below) => {
    state = (state * 48_271) % modulus
    return state % below
  }
}

type Mutation = (bytes: Uint8Array, from: number, random: Random) => Uint8Array

const position = (bytes: Uint8Array, from: number, random: Random) => from + random(bytes.length - from)

const flipBit: Mutation = (bytes, from, random) => {
  bytes[position(bytes, from, random)]! ^= 1 << random(8)
  return bytes
}

/** Half of the extreme numbers go near the beginning, where most headers are. */
const writeExtreme: Mutation = (bytes, from, random) => {
  const near = Math.min(bytes.length, from + 512)
  const at = random(2) === 0 ? position(bytes, from, random) : from + random(near - from)
  bytes.fill(EXTREMES[random(EXTREMES.length)]!, at, at + [1, 2, 4, 8][random(4)]!)
  return bytes
}

const writeNoise: Mutation = (bytes, from, random) => {
  const at = position(bytes, from, random)
  for (let i = at; i < Math.min(bytes.length, at + 1 + random(64)); i++) bytes[i] = random(256)
  return bytes
}

const cutOff: Mutation = (bytes, from, random) => bytes.slice(0, position(bytes, from, random) + 1)

const remove: Mutation = (bytes, from, random) => {
  const at = position(bytes, from, random)
  return joined(bytes.subarray(0, at), bytes.subarray(at + 1 + random(256)))
}

const repeat: Mutation = (bytes, from, random) => {
  const at = position(bytes, from, random)
  const end = at + 1 + random(1024)
  return joined(bytes.subarray(0, end), bytes.subarray(at))
}

const MUTATIONS: Mutation[] = [
  flipBit,
  flipBit,
  writeExtreme,
  writeExtreme,
  writeNoise,
  cutOff,
  remove,
  repeat,
]

const joined = (...parts: Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts))
