// A decoder without a model, whose logits the test defines, for cases that no real model produces. It honours the rest of the
// contract: sequences, lengths, the context limit, logits that are valid until the next call only.

import type { WindowDecoder } from '../../../../src/engine/whisper/batch-scheduler.ts'
import type { CrossAttention, DecodingStep } from '../../../../src/engine/whisper/decoder.ts'
import type { DecodingModel, WindowModel } from '../../../../src/engine/whisper/decoding/decode-segment.ts'
import { createTokenizer, specialTokensOf } from '../../../../src/engine/whisper/decoding/tokenizer.ts'
import { attentionOf } from '../attention-weights.ts'
import { summedLogits } from '../summed-logits.ts'

/** Probabilities of some ids; all others are practically impossible. */
export type Likely = Record<number, number>

export type Heard = { fromSample: number; frames: number }

export type Script = {
  vocabulary?: number
  audioLayers?: number
  audioWidth?: number
  textLayers?: number
  maxSequences?: number
  /** the logits after these tokens, including the prompt */
  next(tokens: readonly number[], heard: Heard): Likely
  /** the frame that a token's head attends to while it predicts the next token */
  looksAt?(place: number, heard: Heard): number
}

const IMPOSSIBLE = -60

export const createScripted = (script: Script) => {
  const vocabulary = script.vocabulary ?? 51_864
  const tokens = specialTokensOf(vocabulary)
  const heard: Heard[] = []
  const advanced: DecodingStep[][] = []
  /** tokens of steps without `needsLogits`, before the next step with it */
  const unanswered: number[] = []
  const logits = Array.from({ length: script.maxSequences ?? 5 }, () => new Float32Array(vocabulary))
  let sequences: number[][] = logits.map(() => [])

  const answer = ({ sequenceId, tokens: appended }: DecodingStep) => {
    sequences[sequenceId]!.push(...appended)
    if (sequences[sequenceId]!.length > 448) throw new RangeError('more tokens than the model can hold')
    const out = logits[sequenceId]!.fill(IMPOSSIBLE)
    const likely = script.next(sequences[sequenceId]!, heard.at(-1)!)
    for (const [id, probability] of Object.entries(likely)) out[Number(id)] = Math.log(probability)
    return summedLogits(out)
  }

  const decoder: WindowDecoder = {
    maxSequences: logits.length,
    frames: () => heard.at(-1)!.frames,
    reset: (sequenceId) => {
      sequences[sequenceId] = []
    },
    copy: (from, to) => {
      sequences[to] = [...sequences[from]!]
    },
    length: (sequenceId) => sequences[sequenceId]!.length,
    advance: async (steps) => {
      for (const { sequenceId, tokens, needsLogits } of steps) {
        if (needsLogits !== false) continue
        sequences[sequenceId]!.push(...tokens)
        unanswered.push(...tokens)
      }
      const needing = steps.filter(({ needsLogits }) => needsLogits !== false)
      if (needing.length === 0) return []
      const whole = needing.map(({ sequenceId, tokens }, i) => ({
        sequenceId,
        tokens: i === 0 ? [...unanswered, ...tokens] : [...tokens],
      }))
      unanswered.length = 0
      advanced.push(whole)
      return needing.map(answer)
    },
    alignment: (sequenceId, from): CrossAttention => {
      const count = sequences[sequenceId]!.length - from
      const frames = heard.at(-1)!.frames
      const weights = new Float32Array(count * frames)
      for (let row = 0; row < count; row += 1) {
        const at = Math.min(script.looksAt?.(from + row, heard.at(-1)!) ?? 0, frames - 1)
        // as wide as real attention, so that the median filter keeps it
        for (let frame = Math.max(0, at - 3); frame <= Math.min(frames - 1, at + 3); frame += 1) {
          weights[row * frames + frame] = 1 / 7
        }
      }
      return attentionOf({ tokens: count, heads: 1, frames, weights })
    },
  }

  const forget = () => {
    sequences = logits.map(() => [])
  }

  const model: DecodingModel = {
    shape: {
      vocabulary,
      audioFrames: 1500,
      audioWidth: script.audioWidth ?? 384,
      audioHeads: 6,
      audioLayers: script.audioLayers ?? 4,
      textTokens: 448,
      textWidth: 384,
      textHeads: 6,
      textLayers: script.textLayers ?? 4,
      melBands: 80,
      fileType: 1,
    },
    tokens,
    tokenizer: createTokenizer(VOCABULARY),
  }

  const windowModel: WindowModel = {
    model,
    decoder,
    encode: async (fromSample, frames) => {
      heard.push({ fromSample, frames })
      forget()
    },
    attendTo: async () => forget(),
  }
  return {
    windowModel,
    decoder,
    model,
    tokens,
    heard,
    advanced,
    at: (seconds: number) => tokens.firstTimestamp + Math.round(seconds * 50),
  }
}

/** Token 0 is ` w0`, 1 is ` w1` and so on; the space keeps its id. */
const VOCABULARY = Array.from({ length: 300 }, (_, id) =>
  new TextEncoder().encode(id === 220 ? ' ' : ` w${id}`),
)

/** The tokens after the prompt, which ends with the start, the task or "no timestamps". */
export const writtenAfter = (sequence: readonly number[], vocabulary = 51_864): number[] => {
  const { start, firstLanguage, noTimestamps, firstTimestamp } = specialTokensOf(vocabulary)
  const afterStart = sequence.slice(sequence.lastIndexOf(start) + 1)
  const marks = afterStart.findIndex((id) => id < firstLanguage || id >= firstTimestamp || id > noTimestamps)
  return marks < 0 ? [] : afterStart.slice(marks)
}

/** Writes exactly these tokens, and ends. */
export const writes =
  (text: readonly number[], vocabulary = 51_864) =>
  (sequence: readonly number[]): Likely => {
    const written = writtenAfter(sequence, vocabulary)
    return { [text[written.length] ?? specialTokensOf(vocabulary).end]: 0.9 }
  }

export const request = (seconds: number) => ({
  sampleCount: Math.round(seconds * 16_000),
  language: 'en',
  task: 'transcribe' as const,
  prompt: null,
  signal: new AbortController().signal,
})
