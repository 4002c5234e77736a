// The interface to a language model: messages in, one text out, or a failure.

import type { Result } from '../lib/result.ts'

export type LlmAddress = {
  /** of an OpenAI-compatible server, including `/v1` */
  baseUrl: string
  /** environment variable with the key; null if none is needed */
  apiKeyEnv: string | null
}

export type ChatMessage = { role: 'system' | 'user' | 'assistant'; content: string }

export type LlmRequest = {
  address: LlmAddress
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
  code: /** not an http or https URL */
    | 'llm_bad_address'
    /** the named variable must not be sent */
    | 'llm_key_refused'
    /** the variable is not set */
    | 'llm_key_missing'
    | 'llm_unreachable'
    | 'llm_unauthorized'
    /** an error status, or a redirect, which is not followed */
    | 'llm_http_error'
    | 'llm_no_model'
    | 'llm_malformed'
    | 'llm_too_large'
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
