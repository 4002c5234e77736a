// Text to the tokens of a model file and back: GPT-2's byte pairs, whose merges lie in the order of the vocabulary.
// Marks such as the end are no text; they are special-tokens.ts.

export type Tokenizer = {
  encode(text: string): number[]
  /** bytes of a character that is cut apart come back as a replacement character */
  decode(ids: readonly number[]): string
  /** empty for ids that are no text */
  bytesOf(id: number): Uint8Array
}

/** No merge crosses the borders between these: a word with its space, a number, signs, spaces. */
const WORDS = /'(?:s|t|re|ve|m|ll|d)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu

const NOTHING = new Uint8Array(0)

/** One character per byte, so that bytes can be keys. Their `buffer` is not asked for: each would be given one of its own. */
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

/** The pair that makes the token with the lowest id is merged first, as when the vocabulary was made. */
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
  // a vocabulary that lacks a byte cannot say it
  return parts.map((part) => ranks.get(part)).filter((id) => id !== undefined)
}

/** @param vocabulary the bytes of each token that is text, by id */
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
