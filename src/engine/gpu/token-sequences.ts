// The token sequences of the decoder on the GPU. Each token has a record there, with its keys and values of every layer;
// sequences with a common prefix share records, as in whisper/sequences.ts.

export type StoredToken = {
  /** index of its record */
  record: number
  /** [heads][frames]: its attention to the window, once the GPU has computed it */
  alignment: Float32Array | null
  /** how many sequences hold it */
  sequences: number
}

export type TokenSequences = {
  length(id: number): number
  /** in order; valid until the sequence changes */
  tokens(id: number): readonly StoredToken[]
  append(id: number): StoredToken
  reset(id: number): void
  copy(from: number, to: number): void
  /** how many records have been used at once */
  records(): number
}

/** The record of vectors that only fill up a dispatch. */
export const IDLE_RECORD = 0

export const createTokenSequences = (count: number): TokenSequences => {
  const sequences: StoredToken[][] = Array.from({ length: count }, () => [])
  const free: number[] = []
  let records = IDLE_RECORD + 1

  const push = (id: number, token: StoredToken) => {
    sequences[id]!.push(token)
    token.sequences += 1
    return token
  }

  const reset = (id: number) => {
    for (const token of sequences[id]!) {
      token.sequences -= 1
      if (token.sequences === 0) free.push(token.record)
    }
    sequences[id] = []
  }

  return {
    length: (id) => sequences[id]!.length,
    tokens: (id) => sequences[id]!,
    append: (id) => push(id, { record: free.pop() ?? records++, alignment: null, sequences: 0 }),
    reset,
    copy(from, to) {
      if (from === to) return
      const source = sequences[from]!
      reset(to)
      for (const token of source) push(to, token)
    },
    records: () => records,
  }
}
