// The types of weights that engines are compared in: the bundled models in each of them, tiny.en unless base is named.
// What whisper.cpp made of the utterances with them is recorded-tokens.ts.

import { baseModel, bundledBytes } from '../support/ggml.ts'
import { bundledAs, inType } from '../support/model-files.ts'
import type { Recording } from './recorded-tokens.ts'

export const COMPARED_TYPES = ['f16', 'f32', 'q5_1', 'base f16'] as const
export type ComparedType = (typeof COMPARED_TYPES)[number]

/**
 * What an engine is set beside. With quantized weights ggml brings activations to 8 bits, and its WebAssembly code
 * cuts them off there where all others round; with f16 it keeps them in f16. With f32 shout gives up: convolutions of
 * its whisper.cpp take weights of f16 only. The weights of f16 and of f32 are those of q5_1.
 */
export const recordingsFor = (type: ComparedType): Recording[] => {
  if (type === 'base f16') return ['shout base f16', 'native base f16']
  return type === 'q5_1' ? ['shout q5_1'] : ['shout f16', 'native f16']
}

/** A whole model file. */
export const modelIn = async (type: ComparedType): Promise<Uint8Array> => {
  if (type === 'base f16') return inType(await Bun.file(baseModel.path).bytes(), 'f16')
  return type === 'q5_1' ? await bundledBytes() : await bundledAs(type)
}
