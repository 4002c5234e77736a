// Builds the decoder's prompt: the previous text, the language, the task.

import type { Task } from '../../engine.ts'
import type { WhisperShape } from '../../whisper-tensors.ts'
import type { SpecialTokens } from './special-tokens.ts'
import type { Tokenizer } from './tokenizer.ts'

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
