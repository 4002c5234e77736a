// The weight types for comparing engines: the bundled models in each of them, tiny.en unless the name contains base.

import { baseModel, bundledBytes } from '../support/ggml.ts'
import { bundledAs, inType } from '../support/model-files.ts'
import type { Recording } from './recorded-tokens.ts'

export const COMPARED_TYPES = ['f16', 'f32', 'q5_1', 'base f16'] as const
export type ComparedType = (typeof COMPARED_TYPES)[number]

/**
 * The types to compare. With quantized weights ggml converts activations to 8 bits, and its WebAssembly code truncates them
 * where all other code rounds; with f16 it uses f16. Shout fails with f32, because the convolutions of its whisper.cpp take
 * f16 weights only. The weights of the f16 and f32 models are those of q5_1.
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
