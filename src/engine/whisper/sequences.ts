// The token sequences that are decoded side by side. Each token has a record and, on request, an alignment in the kernels'
// memory; sequences with a common prefix share them.

import type { Kernels } from '../../../wasm/whisper/kernels.ts'

export type Sequences = {
  length(id: number): number
  /** byte of the addresses of the sequence's records, u32 each */
  list(id: number): number
  /** byte of the alignment of a token; 0 if it has none */
  alignment(id: number, position: number): number
  /** appends a token; its memory is recycled and not cleared */
  append(id: number, aligned: boolean): void
  reset(id: number): void
  copy(from: number, to: number): void
}

/** Memory is allocated for this many tokens at once. */
const SLAB = 32

type Token = { record: number; alignment: number; sequences: number }

/** A pool of equally sized memory blocks. */
const createPool = (kernels: Kernels, bytes: number) => {
  const free: number[] = []
  return {
    take(): number {
      if (free.length === 0) {
        const slab = kernels.allocate(SLAB * bytes)
        for (let i = SLAB - 1; i >= 0; i -= 1) free.push(slab + i * bytes)
      }
      return free.pop()!
    },
    giveBack: (at: number) => void free.push(at),
  }
}

export type SequencesOptions = {
  count: number
  /** the most tokens of a sequence */
  limit: number
  recordBytes: number
  alignmentBytes: number
}

export const createSequences = (
  kernels: Kernels,
  { count, limit, recordBytes, alignmentBytes }: SequencesOptions,
): Sequences => {
  const lists = kernels.allocate(count * limit * 4)
  const sequences: Token[][] = Array.from({ length: count }, () => [])
  const records = createPool(kernels, recordBytes)
  const alignments = createPool(kernels, alignmentBytes)

  const push = (id: number, token: Token) => {
    const position = sequences[id]!.push(token) - 1
    token.sequences += 1
    new Uint32Array(kernels.bytes().buffer)[(lists + (id * limit + position) * 4) / 4] = token.record
  }

  const reset = (id: number) => {
    for (const token of sequences[id]!) {
      token.sequences -= 1
      if (token.sequences > 0) continue
      records.giveBack(token.record)
      if (token.alignment !== 0) alignments.giveBack(token.alignment)
    }
    sequences[id] = []
  }

  return {
    length: (id) => sequences[id]!.length,
    list: (id) => lists + id * limit * 4,
    alignment: (id, position) => sequences[id]![position]!.alignment,
    append: (id, aligned) =>
      push(id, { record: records.take(), alignment: aligned ? alignments.take() : 0, sequences: 0 }),
    reset,
    copy(from, to) {
      if (from === to) return
      const source = sequences[from]!
      reset(to)
      for (const token of source) push(to, token)
    },
  }
}
