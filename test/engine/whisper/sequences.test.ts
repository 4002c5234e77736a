// Records of sequences that grow, are copied and end: none is shared by mistake, none leaks.

import { afterAll, expect, test } from 'bun:test'
import { createSequences } from '../../../src/engine/whisper/sequences.ts'
import { openKernels } from '../../../wasm/whisper/kernels.ts'

const COUNT = 5
const LIMIT = 100
const kernels = await openKernels({ threads: 1, scratchBytes: 64 })

afterAll(() => kernels.close())

const open = () =>
  createSequences(kernels, { count: COUNT, limit: LIMIT, recordBytes: 128, alignmentBytes: 64 })

type Sequences = ReturnType<typeof open>

const append = (sequences: Sequences, id: number, count: number) => {
  for (let i = 0; i < count; i += 1) sequences.append(id, id % 2 === 1)
}

const recordsOf = (sequences: Sequences, id: number) => [
  ...new Uint32Array(kernels.bytes().buffer, sequences.list(id), sequences.length(id)),
]

/** A prompt, then sequences of all ids that diverge, some of which replace another. */
const hearWindow = (sequences: Sequences) => {
  for (let id = 0; id < COUNT; id += 1) sequences.reset(id)
  append(sequences, 0, 40)
  for (let id = 1; id < COUNT; id += 1) sequences.copy(0, id)
  for (let id = 0; id < COUNT; id += 1) append(sequences, id, 10 * id)
  sequences.copy(4, 1)
  sequences.copy(2, 3)
  append(sequences, 1, 5)
}

test('shares the common prefix of copies and nothing after it', () => {
  const sequences = open()
  hearWindow(sequences)
  const [prompt, first, second, third, last] = [0, 1, 2, 3, 4].map((id) => recordsOf(sequences, id))
  expect(first!.slice(0, 80)).toEqual(last!)
  expect(third).toEqual(second!)
  expect(prompt).toEqual(last!.slice(0, 40))
  const own = [...prompt!, ...second!.slice(40), ...last!.slice(40), ...first!.slice(80)]
  expect(new Set(own).size).toBe(own.length)
  const alignments = Array.from({ length: 85 }, (_, position) => sequences.alignment(1, position))
  expect(alignments.slice(0, 80)).toEqual(new Array(80).fill(0))
  expect(new Set(alignments.slice(80)).size).toBe(5)
  expect(alignments.slice(80)).not.toContain(0)
})

test('needs no more memory for later windows than for the first', () => {
  const sequences = open()
  hearWindow(sequences)
  const taken = kernels.mark()
  for (let window = 0; window < 20; window += 1) hearWindow(sequences)
  expect(kernels.mark()).toBe(taken)
})
