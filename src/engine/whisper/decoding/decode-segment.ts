// Decodes one piece of audio: with a trimmed window if the model allows it and the result is plausible, else with the full one.

import type { Task } from '../../engine.ts'
import type { GgmlFile } from '../../ggml-file.ts'
import type { WhisperShape } from '../../whisper-tensors.ts'
import type { WindowDecoder } from '../batch-scheduler.ts'
import type { Yield } from '../yield.ts'
import { type Decoded, decodeWithFallback, type Strategy } from './fallback.ts'
import { decodingPrompt } from './prompt.ts'
import { type TrimFault, trimFault } from './segments.ts'
import { type DecodingPiece, FRAMES_PER_SECOND, FRAMES_PER_TIMESTAMP, SAMPLES_PER_FRAME } from './sequence.ts'
import { createTokenizer, type SpecialTokens, specialTokensOf, type Tokenizer } from './tokenizer.ts'

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

/** The decoder's audio: skips an encoding that it already has, and reports the share of the work on a piece that is done. */
export type AudioContext = {
  encode(fromFrame: number, frames: number, onShare: (share: number) => void): Promise<void>
  /** restricts the audio to these frames of the last encoding */
  attendTo(fromFrame: number, frames: number): Promise<void>
}

/** The share of encoding in a piece's progress: most of a large model's time passes before the first token. */
const ENCODING = 0.5

const NOTHING = { fromFrame: -1, frames: -1 }

export const createAudioContext = ({
  encode,
  attendTo,
}: Pick<WindowModel, 'encode' | 'attendTo'>): AudioContext => {
  let current = NOTHING
  return {
    encode: async (fromFrame, frames, onShare) => {
      if (current.fromFrame === fromFrame && current.frames === frames) return
      await encode(fromFrame * SAMPLES_PER_FRAME, frames, (part) => onShare(part * ENCODING))
      current = { fromFrame, frames }
    },
    attendTo: (fromFrame, frames) => {
      current = NOTHING
      return attendTo(fromFrame, frames)
    },
  }
}

export type SegmentRequest = {
  /** where the piece begins, from the first sample */
  fromFrame: number
  /** from there to the end of the samples */
  restFrames: number
  previous: readonly number[]
  /** the language's token, null for English-only models */
  language: number | null
  task: Task
  strategy: Strategy
  /** frames of the encoder; null for the full window */
  trimmedFrames: number | null
  onReach?: ((frames: number) => void) | undefined
}

export type DecodedSegment = Decoded & {
  fromFrame: number
  restFrames: number
  /** frames of the encoder */
  windowFrames: number
  /** why the result of a trimmed window was rejected */
  trimFault: TrimFault | null
}

/** The first distilled models were trained without timestamps. */
const writesTimestamps = ({ shape, tokens }: DecodingModel) => shape.textLayers !== 2 || tokens.languages > 99

/** Half of the model's tokens are reserved for the previous text, and a few for the prompt's special tokens. */
const maxTokensOf = ({ shape }: DecodingModel) => Math.floor(shape.textTokens / 2) - 4

export type TranscriptionContext = { windowModel: WindowModel; audio: AudioContext; yieldNow: Yield }

const decodeThrough = async (
  { windowModel, audio, yieldNow }: TranscriptionContext,
  request: SegmentRequest,
  windowFrames: number,
  strategy: Strategy,
): Promise<Decoded> => {
  const { model, decoder } = windowModel
  const { fromFrame, restFrames, language, task, onReach } = request
  await audio.encode(fromFrame, windowFrames, (share) => onReach?.(share * restFrames))
  const timestamps = writesTimestamps(model)
  const piece: DecodingPiece = {
    tokens: model.tokens,
    restFrames,
    windowFrames: windowFrames * FRAMES_PER_TIMESTAMP,
    timestamps,
    maxTokens: maxTokensOf(model),
  }
  const textTokens = model.shape.textTokens
  return await decodeWithFallback(
    { decoder, piece, yieldNow },
    {
      strategy,
      promptWith: (what) => {
        const previous = what === 'previous' ? request.previous : []
        return decodingPrompt({ tokens: model.tokens, previous, language, task, timestamps, textTokens })
      },
      onReach,
    },
  )
}

/** @throws the signal's reason when aborted */
export const decodeSegment = async (
  context: TranscriptionContext,
  request: SegmentRequest,
): Promise<DecodedSegment> => {
  const { model } = context.windowModel
  const { fromFrame, restFrames, strategy, trimmedFrames } = request
  let fault: TrimFault | null = null
  if (trimmedFrames !== null) {
    // try the full window before another temperature
    const once = { ...strategy, temperatures: strategy.temperatures.slice(0, 1) }
    const decoded = await decodeThrough(context, request, trimmedFrames, once)
    fault = trimFault(decoded, restFrames / FRAMES_PER_SECOND, model.tokens)
    if (!fault || !strategy.retriesInFull) {
      return { ...decoded, fromFrame, restFrames, windowFrames: trimmedFrames, trimFault: fault }
    }
  }
  const windowFrames = model.shape.audioFrames
  const decoded = await decodeThrough(context, request, windowFrames, strategy)
  return { ...decoded, fromFrame, restFrames, windowFrames, trimFault: fault }
}
