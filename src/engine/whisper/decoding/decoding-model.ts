// What decoding must know of a model: its shape, its marks, its vocabulary.
// Its weights are encoder.ts and decoder.ts.

import type { GgmlFile } from '../../ggml-file.ts'
import type { WhisperShape } from '../../whisper-tensors.ts'
import type { WindowDecoder } from '../in-step.ts'
import { type SpecialTokens, specialTokensOf } from './special-tokens.ts'
import { createTokenizer, type Tokenizer } from './tokenizer.ts'

export type DecodingModel = { shape: WhisperShape; tokens: SpecialTokens; tokenizer: Tokenizer }

export const decodingModelOf = ({
  shape,
  vocabulary,
}: Pick<GgmlFile, 'shape' | 'vocabulary'>): DecodingModel => ({
  shape,
  tokens: specialTokensOf(shape.vocabulary),
  tokenizer: createTokenizer(vocabulary),
})

/** A model that is ready to hear audio that lies ready. */
export type Listener = {
  model: DecodingModel
  decoder: WindowDecoder
  /**
   * Has the decoder listen to the audio from that sample on, and to silence after its end.
   * @param frames of the encoder: the model's audioFrames, or fewer for a trimmed window
   * @param onPart told now and then which fraction of it is encoded
   */
  encode(fromSample: number, frames: number, onPart?: (fraction: number) => void): Promise<void>
  /** Has the decoder listen to nothing but these frames of the encoder, of what was encoded last. */
  attendTo(fromFrame: number, frames: number): Promise<void>
}
