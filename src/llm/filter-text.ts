// Runs a text through a language model and the output guard: returns the whole result or the reason for rejecting it.

import { fail, type Result, succeed } from '../lib/result.ts'
import { type Chunk, cutIntoChunks, joinChunks } from './chunks.ts'
import { checkAnswer, type GuardCode, type OutputGuardOptions } from './guard/output-guard.ts'
import type { Llm, LlmAddress, LlmFailure } from './llm.ts'
import { type RefinePromptOptions, refineMessages } from './refine-prompt.ts'

/** Small models lose track of longer texts, and the guard compares word by word. */
const MAX_CHUNK_CHARS = 1500
/** A text has no more tokens than bytes; the spare is for reasoning output. */
const SPARE_TOKENS = 256

export type FilterRequest = {
  llm: Llm
  address: LlmAddress
  model: string | null
  prompt: RefinePromptOptions
  guard: OutputGuardOptions
  /** for the whole text, all chunks together */
  timeoutMs: number
  signal: AbortSignal
}

export type FilterFailure =
  | LlmFailure
  /** the guard rejected the output; `reason` is the first rule it broke */
  | { code: 'llm_refused_by_guard'; reason: GuardCode; message: string }

/** Never throws. Fails if any chunk fails. */
export async function filterText(
  text: string,
  request: FilterRequest,
): Promise<Result<{ text: string; model: string }, FilterFailure>> {
  const deadline = performance.now() + request.timeoutMs
  const { chunks, after } = cutIntoChunks(text, MAX_CHUNK_CHARS)
  const filtered: Chunk[] = []
  let model = request.model ?? ''
  for (const { before, text: piece } of chunks) {
    const answer = await filterPiece(piece, request, Math.ceil(deadline - performance.now()))
    if (!answer.ok) return answer
    filtered.push({ before, text: answer.value.text })
    model = answer.value.model
  }
  return succeed({ text: joinChunks({ chunks: filtered, after }), model })
}

async function filterPiece(piece: string, request: FilterRequest, timeoutMs: number) {
  const { llm, address, model, prompt, guard, signal } = request
  const answer = await llm.complete({
    address,
    model,
    signal,
    timeoutMs,
    messages: refineMessages(piece, prompt),
    maxTokens: Buffer.byteLength(piece) + SPARE_TOKENS,
  })
  if (!answer.ok) return answer
  const checked = checkAnswer(piece, answer.value.text, guard)
  if (checked.ok) return succeed({ text: checked.value, model: answer.value.model })
  return fail({
    code: 'llm_refused_by_guard' as const,
    reason: checked.failure,
    message: `The language model's output was rejected: ${checked.failure.replaceAll('_', ' ')}.`,
  })
}
