// What a language model is to this server: messages in, one text out, or the reason why there is none.
// Asking one over HTTP is llm-client.ts; what it is told and whether its answer is believed is refining's.

import type { Result } from '../lib/result.ts'

/** Where the model is. */
export type LlmAddress = {
  /** of an OpenAI-compatible server, up to and with `/v1` */
  baseUrl: string
  /** name of the variable that holds the key; null where none is needed */
  apiKeyEnv: string | null
}

export type ChatMessage = { role: 'system' | 'user' | 'assistant'; content: string }

export type LlmRequest = {
  address: LlmAddress
  /** as the server names it; null is the first that it lists */
  model: string | null
  messages: readonly ChatMessage[]
  /** of the answer; one that needs more is a failure */
  maxTokens: number
  /** for everything: connecting, waiting, reading */
  timeoutMs: number
  /** ends the asking before its time */
  signal: AbortSignal
}

/** `model` is what the server says it used. */
export type LlmAnswer = { text: string; model: string }

export type LlmFailure = {
  code: /** the address is none that can be asked */
    | 'llm_bad_address'
    /** the variable that is named is none that may be sent */
    | 'llm_key_refused'
    /** the variable with the key is not set */
    | 'llm_key_missing'
    | 'llm_unreachable'
    | 'llm_unauthorized'
    /** an answer that is no success, or a redirect, which is not followed */
    | 'llm_http_error'
    | 'llm_no_model'
    | 'llm_malformed'
    | 'llm_too_large'
    /** the answer ended at `maxTokens` */
    | 'llm_cut_off'
    /** the server withheld the answer */
    | 'llm_withheld'
    | 'llm_empty'
    | 'llm_timeout'
    | 'llm_canceled'
  /** one sentence, without anything of the texts */
  message: string
}

export type Llm = {
  /** Never throws. */
  complete(request: LlmRequest): Promise<Result<LlmAnswer, LlmFailure>>
}
