// Runs a text through a language model and the output guard: returns the whole result or the reason for rejecting it.

import type { ServerAddress } from '../lib/openai-server.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { checkAnswer, type GuardCode, type OutputGuardOptions } from './guard/output-guard.ts'
import type { Llm, LlmFailure } from './llm.ts'
import { type RefinePromptOptions, refineMessages } from './refine-prompt.ts'

/** A chunk and the white space before it. */
export type Chunk = { before: string; text: string }

export type Chunks = { chunks: Chunk[] /** white space at the end */; after: string }

const sentences = new Intl.Segmenter('und', { granularity: 'sentence' })
const words = new Intl.Segmenter('und', { granularity: 'word' })

/**
 * Chunks of at most `maxChars`: whole paragraphs if they fit, else sentences, else words. `joinChunks` restores the
 * text.
 */
export function cutIntoChunks(text: string, maxChars: number): Chunks {
  const chunks: Chunk[] = []
  let gathered = ''
  const flush = () => {
    const body = gathered.trimStart()
    if (body.trim() !== '') {
      const text = body.trimEnd()
      const before = gathered.slice(0, gathered.length - body.length)
      chunks.push({ before: spare + before, text })
      spare = body.slice(text.length)
    } else spare += gathered
    gathered = ''
  }
  let spare = ''
  for (const part of partsOf(text, maxChars)) {
    if (gathered !== '' && gathered.length + part.length > maxChars) flush()
    gathered += part
  }
  flush()
  return { chunks, after: spare }
}

export const joinChunks = ({ chunks, after }: Chunks): string =>
  chunks.map(({ before, text }) => before + text).join('') + after

/** Parts within the limit, as coarse as possible. */
function partsOf(text: string, maxChars: number): string[] {
  const cutFurther = (parts: string[], cut: (part: string) => string[]) =>
    parts.flatMap((part) => (part.length > maxChars ? cut(part) : [part]))
  const paragraphs = text.match(/[^\n]+\n*|\n+/g) ?? []
  const inSentences = cutFurther(paragraphs, (part) => segmentsOf(sentences, part))
  const inWords = cutFurther(inSentences, (part) => segmentsOf(words, part))
  return cutFurther(inWords, (part) => charactersOf(part, maxChars))
}

const segmentsOf = (segmenter: Intl.Segmenter, text: string): string[] =>
  [...segmenter.segment(text)].map(({ segment }) => segment)

function charactersOf(text: string, maxChars: number): string[] {
  const parts: string[] = []
  const characters = [...text]
  for (let at = 0; at < characters.length; at += maxChars / 2)
    parts.push(characters.slice(at, at + maxChars / 2).join(''))
  return parts
}

/** Small models lose track of longer texts, and the guard compares word by word. */
const MAX_CHUNK_CHARS = 1500
/** A text has no more tokens than bytes; the spare is for reasoning output. */
const SPARE_TOKENS = 256

export type FilterRequest = {
  llm: Llm
  address: ServerAddress
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
