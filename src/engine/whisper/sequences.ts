// The sequences of tokens that are decoded side by side, and the record that each token has in the kernels' memory.
// Sequences that begin alike share records; what a record holds is the decoder's.

import type { Kernels } from '../../../wasm/whisper/kernels.ts'

export type Sequences = {
  length(slot: number): number
  /** byte of the addresses of the slot's records, u32 each */
  list(slot: number): number
  /** byte of the record of a token */
  record(slot: number, position: number): number
  /** a new record at the end of the sequence; its bytes are those of a token that is gone */
  append(slot: number): void
  reset(slot: number): void
  copy(from: number, to: number): void
}

/** Memory is taken for so many tokens at once. */
const SLAB_RECORDS = 32

type Record = { at: number; sequences: number }

/** @param options.limit tokens of a sequence */
export const createSequences = (
  kernels: Kernels,
  { slots, limit, recordBytes }: { slots: number; limit: number; recordBytes: number },
): Sequences => {
  const lists = kernels.allocate(slots * limit * 4)
  const sequences: Record[][] = Array.from({ length: slots }, () => [])
  const free: Record[] = []

  const take = (): Record => {
    if (free.length === 0) {
      const slab = kernels.allocate(SLAB_RECORDS * recordBytes)
      for (let i = SLAB_RECORDS - 1; i >= 0; i -= 1) free.push({ at: slab + i * recordBytes, sequences: 0 })
    }
    return free.pop()!
  }

  const push = (slot: number, record: Record) => {
    const position = sequences[slot]!.push(record) - 1
    record.sequences += 1
    new Uint32Array(kernels.bytes().buffer)[(lists + (slot * limit + position) * 4) / 4] = record.at
  }

  const reset = (slot: number) => {
    for (const record of sequences[slot]!) {
      record.sequences -= 1
      if (record.sequences === 0) free.push(record)
    }
    sequences[slot] = []
  }

  return {
    length: (slot) => sequences[slot]!.length,
    list: (slot) => lists + slot * limit * 4,
    record: (slot, position) => sequences[slot]![position]!.at,
    append: (slot) => push(slot, take()),
    reset,
    copy(from, to) {
      if (from === to) return
      const source = sequences[from]!
      reset(to)
      for (const record of source) push(to, record)
    },
  }
}
