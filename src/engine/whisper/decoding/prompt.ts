// What a decoder is told before it hears: the text that came before, the language, the task.
// Making tokens of a text is tokenizer.ts.

import type { Task } from '../../engine.ts'
import type { WhisperShape } from '../../whisper-tensors.ts'
import type { SpecialTokens } from './special-tokens.ts'
import type { Tokenizer } from './tokenizer.ts'

/** `untilStart` ends with the start token, at which the model says whether there is speech at all. */
export type Prompt = { untilStart: number[]; task: number[] }

export type DecodingPromptOptions = {
  tokens: SpecialTokens
  /** as many as fit are taken from the end */
  previous: readonly number[]
  /** null for English-only models */
  language: number | null
  task: Task
  timestamps: boolean
  /** how many tokens the model can hold */
  textTokens: number
}

/** Half of what the model holds is for what came before, its mark included. */
const maxPrevious = (textTokens: number) => Math.max(0, Math.floor(textTokens / 2) - 1)

type Told = { tokenizer: Pick<Tokenizer, 'encode'>; shape: Pick<WhisperShape, 'textTokens'> }

const tokensOf = ({ tokenizer }: Told, text: string | null) =>
  text?.trim() ? tokenizer.encode(` ${text.trim()}`) : []

/** All of the prompt, and of what was said before as much of its end as there is room left for. */
export const previousOf = (
  model: Told,
  { prompt, before }: { prompt: string | null; before: string | null },
): number[] => {
  const asked = tokensOf(model, prompt)
  const room = maxPrevious(model.shape.textTokens) - asked.length
  return room <= 0 ? asked : [...asked, ...tokensOf(model, before).slice(-room)]
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
