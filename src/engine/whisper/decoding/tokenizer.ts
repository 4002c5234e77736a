// Text to a model file's tokens and back: GPT-2's byte pair encoding, whose merge order is the order of the vocabulary.

export type Tokenizer = {
  encode(text: string): number[]
  /** incomplete characters become replacement characters */
  decode(ids: readonly number[]): string
  /** empty for ids that are not text */
  bytesOf(id: number): Uint8Array
}

/** No merge crosses the boundaries of these: a word with its space, a number, punctuation, spaces. */
const WORDS = /'(?:s|t|re|ve|m|ll|d)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu

const NOTHING = new Uint8Array(0)

/** One character per byte, for use as a map key. Avoids `bytes.buffer`, which would allocate a buffer for each array. */
const keyOf = (bytes: Uint8Array) => String.fromCharCode(...bytes)

type Ranks = Map<string, number>

const ranksOf = (vocabulary: readonly Uint8Array[]): Ranks => {
  const ranks: Ranks = new Map()
  for (const [id, bytes] of vocabulary.entries()) {
    const key = keyOf(bytes)
    if (!ranks.has(key)) ranks.set(key, id)
  }
  return ranks
}

/** Merges the pair whose token has the lowest id first, as in the vocabulary's construction. */
const mergeWord = (word: string, ranks: Ranks): number[] => {
  const parts = [...word]
  const rankAt = (i: number) => ranks.get(`${parts[i]}${parts[i + 1]}`) ?? Number.POSITIVE_INFINITY
  const pairs = parts.slice(1).map((_, i) => rankAt(i))
  for (;;) {
    let best = 0
    for (let i = 1; i < pairs.length; i += 1) if (pairs[i]! < pairs[best]!) best = i
    if (!Number.isFinite(pairs[best] ?? Number.POSITIVE_INFINITY)) break
    parts.splice(best, 2, `${parts[best]}${parts[best + 1]}`)
    pairs.splice(best, 1)
    if (best > 0) pairs[best - 1] = rankAt(best - 1)
    if (best < pairs.length) pairs[best] = rankAt(best)
  }
  // drop bytes that the vocabulary lacks
  return parts.map((part) => ranks.get(part)).filter((id) => id !== undefined)
}

/** @param vocabulary the bytes of each text token, by id */
export const createTokenizer = (vocabulary: readonly Uint8Array[]): Tokenizer => {
  let known: Ranks | null = null
  const bytesOf = (id: number) => vocabulary[id] ?? NOTHING

  return {
    encode: (text) => {
      known ??= ranksOf(vocabulary)
      const ranks = known
      const words = text.toWellFormed().match(WORDS) ?? []
      return words.flatMap((word) => mergeWord(Buffer.from(word).toString('latin1'), ranks))
    },
    decode: (ids) => new TextDecoder().decode(Buffer.concat(ids.map(bytesOf))),
    bytesOf,
  }
}
