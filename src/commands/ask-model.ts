// Asks the language model to apply an instruction that no rule knows to the text, within a time budget.

import type { Llm, LlmFailure } from '../llm/llm.ts'
import type { Settings } from '../settings/settings.ts'
import type { RunEffect, RunRequest } from './command-run.ts'
import { changedText, insertion, unchanged } from './effects.ts'
import { acceptedAnswer, commandMessages, type ModelTask } from './model-prompt.ts'

export type ModelDeps = {
  llm: Pick<Llm, 'complete'>
  settings: { current(): Pick<Settings, 'llmBaseUrl' | 'llmApiKeyEnv' | 'llmModel'> }
}

/** A model never has more tokens than bytes; the spare is for short texts that grow and for models that reason aloud. */
const SPARE_TOKENS = 1024

type ModelRun = { request: RunRequest; instruction: string; commandId: string | null; name: string | null }

/** Returns null if no language model is configured. Never throws. */
export async function askModel({ llm, settings }: ModelDeps, run: ModelRun): Promise<RunEffect | null> {
  const { llmBaseUrl: baseUrl, llmApiKeyEnv: apiKeyEnv, llmModel } = settings.current()
  if (baseUrl === null) return null
  const { request, instruction, commandId, name } = run
  const { selectedText: text, context, style, timeoutMs, signal } = request
  const task: ModelTask = { instruction, text, context, style }
  const model = request.model ?? llmModel
  const answer = await llm.complete({
    address: { baseUrl, apiKeyEnv },
    model,
    timeoutMs,
    signal,
    messages: commandMessages(task),
    maxTokens: Buffer.byteLength(text) + SPARE_TOKENS,
  })
  const more = { commandId, name, usedLlm: true, model }
  if (!answer.ok) return unchanged(text, failureOf(answer.failure), more)
  const used = { ...more, model: answer.value.model }
  const written = acceptedAnswer(task, answer.value.text)
  if (written === null) return unchanged(text, REJECTED, used)
  if (text.trim() === '') return insertion(written, used)
  return changedText(text, withOuterSpace(text, written), used)
}

const REJECTED = {
  status: 'failed',
  code: 'llm_not_believed',
  message: 'The language model returned something other than the edited text; nothing was changed.',
} as const

function failureOf({ code, message }: LlmFailure) {
  if (code === 'llm_timeout') return { status: 'timeout' as const, code, message }
  if (code === 'llm_canceled') return { status: 'canceled' as const, code, message }
  return { status: 'failed' as const, code, message }
}

/** The model must not change the white space around the selection. */
function withOuterSpace(text: string, written: string): string {
  const inner = text.trim()
  const start = text.indexOf(inner)
  return text.slice(0, start) + written + text.slice(start + inner.length)
}
