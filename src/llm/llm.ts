// The interface to a language model: messages in, one text out, or a failure.

import type { EndpointFailure, ServerAddress } from '../lib/openai-server.ts'
import type { Result } from '../lib/result.ts'

export type ChatMessage = { role: 'system' | 'user' | 'assistant'; content: string }

export type LlmRequest = {
  address: ServerAddress
  /** the server's name for it; null: the first one listed */
  model: string | null
  messages: readonly ChatMessage[]
  /** limit of the output; a longer one is a failure */
  maxTokens: number
  /** for the whole request: connecting, waiting, reading */
  timeoutMs: number
  /** aborts the request */
  signal: AbortSignal
}

/** `model` is the one that the server reports. */
export type LlmAnswer = { text: string; model: string }

export type LlmFailure = {
  code:
    | `llm_${EndpointFailure['code']}`
    | 'llm_no_model'
    /** the output reached `maxTokens` */
    | 'llm_cut_off'
    /** the server withheld the output */
    | 'llm_withheld'
    | 'llm_empty'
    | 'llm_timeout'
    | 'llm_canceled'
  /** contains nothing of the texts */
  message: string
}

export type Llm = {
  /** never throws */
  complete(request: LlmRequest): Promise<Result<LlmAnswer, LlmFailure>>
}
