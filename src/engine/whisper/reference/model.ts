// A model file for the reference: every tensor as numbers, by name.

import { bytesInMemory, type GgmlFile, readGgmlFile } from '../../ggml-file.ts'
import type { Numbers } from './arithmetic.ts'
import { dequantize } from './dequantize.ts'

export type ReferenceModel = { file: GgmlFile; tensor(name: string): Numbers }

/** Reads tensors on first use, and caches them. */
export const readReferenceModel = (bytes: Uint8Array): ReferenceModel => {
  const file = readGgmlFile(bytesInMemory(bytes))
  if (!file.ok) throw new Error(file.failure.message)
  const places = new Map(file.value.tensors.map((tensor) => [tensor.name, tensor]))
  const read = new Map<string, Numbers>()
  return {
    file: file.value,
    tensor(name) {
      const known = read.get(name)
      if (known) return known
      const place = places.get(name)
      if (!place) throw new Error(`no tensor ${name}`)
      const numbers = dequantize(place.type, bytes.subarray(place.atByte, place.atByte + place.bytes))
      read.set(name, new Float32Array(numbers))
      return read.get(name)!
    },
  }
}
