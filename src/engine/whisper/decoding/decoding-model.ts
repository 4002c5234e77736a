import type { GgmlFile } from '../../ggml-file.ts'
import type { WhisperShape } from '../../whisper-tensors.ts'
import type { WindowDecoder } from '../batch-scheduler.ts'
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

/** A model together with the samples of one request. */
export type WindowModel = {
  model: DecodingModel
  decoder: WindowDecoder
  /**
   * Encodes the audio from this sample on, padded with silence, as the decoder's window.
   * @param frames of the encoder: the model's audioFrames, or fewer for a trimmed window
   * @param onPart called repeatedly with the fraction that is encoded
   */
  encode(fromSample: number, frames: number, onPart?: (fraction: number) => void): Promise<void>
  /** Restricts the decoder's window to these frames of the last encoding. */
  attendTo(fromFrame: number, frames: number): Promise<void>
}
