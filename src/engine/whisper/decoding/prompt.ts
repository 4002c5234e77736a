// Builds the decoder's prompt (the previous text, the language, the task), and feeds it to the decoder.

import type { Task } from '../../engine.ts'
import type { WhisperShape } from '../../whisper-tensors.ts'
import type { WindowDecoder } from '../batch-scheduler.ts'
import type { Logits } from '../logits.ts'
import type { Yield } from '../yield.ts'
import type { SpecialTokens, Tokenizer } from './tokenizer.ts'

/** `untilStart` ends with the start token, whose logits include the no-speech probability. */
export type Prompt = { untilStart: number[]; task: number[] }

export type DecodingPromptOptions = {
  tokens: SpecialTokens
  /** truncated at the front to what fits */
  previous: readonly number[]
  /** null for English-only models */
  language: number | null
  task: Task
  timestamps: boolean
  /** the model's context length */
  textTokens: number
}

/** Half of the context is for the previous text, including its special token. */
const maxPrevious = (textTokens: number) => Math.max(0, Math.floor(textTokens / 2) - 1)

type PromptModel = { tokenizer: Pick<Tokenizer, 'encode'>; shape: Pick<WhisperShape, 'textTokens'> }

const tokensOf = ({ tokenizer }: PromptModel, text: string | null) =>
  text?.trim() ? tokenizer.encode(` ${text.trim()}`) : []

/** The whole prompt, then as much of the end of the previous text as fits. */
export const previousOf = (
  model: PromptModel,
  { prompt, before }: { prompt: string | null; before: string | null },
): number[] => {
  const initial = tokensOf(model, prompt)
  const free = maxPrevious(model.shape.textTokens) - initial.length
  return free <= 0 ? initial : [...initial, ...tokensOf(model, before).slice(-free)]
}

export const decodingPrompt = (options: DecodingPromptOptions): Prompt => {
  const { tokens, language, timestamps } = options
  const room = maxPrevious(options.textTokens)
  const previous = room === 0 ? [] : options.previous.slice(-room)
  const task = options.task === 'translate' ? tokens.translate : tokens.transcribe
  return {
    untilStart: [...(previous.length > 0 ? [tokens.previous, ...previous] : []), tokens.start],
    task: [...(language === null ? [] : [language, task]), ...(timestamps ? [] : [tokens.noTimestamps])],
  }
}

/** Large enough to reuse each loaded weight; large-v3 takes a second for such a batch on one core. */
const MAX_AT_ONCE = 16

/**
 * Appends at least one token to sequence 0.
 * @param alignedFrom the first token whose alignment is needed afterwards. @default the last
 * @returns the logits after the last; a view that is valid until the decoder's next call
 */
export const prefill = async (
  { decoder, yieldNow }: { decoder: WindowDecoder; yieldNow: Yield },
  tokens: readonly number[],
  alignedFrom = tokens.length - 1,
): Promise<Logits> => {
  const step = (from: number, to: number) => ({
    sequenceId: 0,
    tokens: tokens.slice(from, to),
    aligned: to > alignedFrom,
  })
  let first = 0
  for (; first + MAX_AT_ONCE < tokens.length; first += MAX_AT_ONCE) {
    await yieldNow()
    await decoder.advance([{ ...step(first, first + MAX_AT_ONCE), needsLogits: false }])
  }
  await yieldNow()
  return (await decoder.advance([step(first, tokens.length)]))[0]!
}
