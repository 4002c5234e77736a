// Asks a language model behind an OpenAI-compatible address: Ollama, llama.cpp, LM Studio, or any other.
// Does not judge the answer beyond its form; output-guard.ts does.

import { Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { type Result, succeed } from '../lib/result.ts'
import { keyVariableFault } from './key-variable.ts'
import type { Llm, LlmAddress, LlmAnswer, LlmFailure, LlmRequest } from './llm.ts'
import { failed, requestJson } from './llm-request.ts'

/** Filtering wants the likeliest words, not new ones. */
const TEMPERATURE = 0.2

const Completion = TypeCompiler.Compile(
  Type.Object({
    model: Type.Optional(Type.Unknown()),
    choices: Type.Array(
      Type.Object({
        finish_reason: Type.Optional(Type.Unknown()),
        message: Type.Object({
          content: Type.Union([Type.String(), Type.Null()]),
          refusal: Type.Optional(Type.Unknown()),
        }),
      }),
      { minItems: 1 },
    ),
  }),
)

const ModelList = TypeCompiler.Compile(Type.Object({ data: Type.Array(Type.Object({ id: Type.Unknown() })) }))

type LlmDeps = {
  /** the value of a variable of the environment; undefined where it is not set */
  readKey: (name: string) => string | undefined
}

type Access = { baseUrl: string; headers: Record<string, string> }

export const createLlmClient = ({ readKey }: LlmDeps): Llm => ({
  async complete(request) {
    const access = accessTo(request.address, readKey)
    if (!access.ok) return access
    const timeout = AbortSignal.timeout(Math.max(1, request.timeoutMs))
    const signal = AbortSignal.any([timeout, request.signal])
    const answer = await ask(access.value, request, signal)
    // Whatever the ending looked like from inside: what ended it is known here.
    if (answer.ok || !signal.aborted) return answer
    if (request.signal.aborted) return failed('llm_canceled', 'The asking was cancelled.')
    return failed('llm_timeout', 'The language model took longer than it may.')
  },
})

function accessTo(address: LlmAddress, readKey: LlmDeps['readKey']): Result<Access, LlmFailure> {
  const url = URL.parse(address.baseUrl)
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    return failed('llm_bad_address', 'The address of the language model is no http or https address.')
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (address.apiKeyEnv !== null) {
    const fault = keyVariableFault(address.apiKeyEnv)
    if (fault !== null) return failed('llm_key_refused', `The setting llm_api_key_env ${fault}.`)
    const key = readKey(address.apiKeyEnv)?.trim()
    if (!key) return failed('llm_key_missing', `The variable ${address.apiKeyEnv} is not set.`)
    headers.authorization = `Bearer ${key}`
  }
  return succeed({ baseUrl: `${url.origin}${url.pathname.replace(/\/+$/, '')}`, headers })
}

async function ask(access: Access, request: LlmRequest, signal: AbortSignal) {
  const { messages, maxTokens } = request
  const model = request.model === null ? await firstModel(access, signal) : succeed(request.model)
  if (!model.ok) return model
  const answer = await requestJson({
    url: `${access.baseUrl}/chat/completions`,
    headers: access.headers,
    body: {
      model: model.value,
      messages,
      max_tokens: maxTokens,
      temperature: TEMPERATURE,
      stream: false,
    },
    signal,
  })
  return answer.ok ? readCompletion(answer.value, model.value) : answer
}

async function firstModel(access: Access, signal: AbortSignal): Promise<Result<string, LlmFailure>> {
  const { baseUrl, headers } = access
  const list = await requestJson({ url: `${baseUrl}/models`, headers, body: null, signal })
  if (!list.ok) return list
  const listed = ModelList.Check(list.value) ? list.value.data : []
  const first = listed.map(({ id }) => id).find(isModelName)
  return first !== undefined
    ? succeed(first)
    : failed('llm_no_model', 'The server of the language model lists no model.')
}

function readCompletion(json: unknown, asked: string): Result<LlmAnswer, LlmFailure> {
  if (!Completion.Check(json))
    return failed('llm_malformed', 'The language model answered with something that is no chat completion.')
  const { finish_reason: ending, message } = json.choices[0]!
  if (ending === 'length') return failed('llm_cut_off', 'The answer of the language model was cut off.')
  if (ending === 'content_filter' || (typeof message.refusal === 'string' && message.refusal !== ''))
    return failed('llm_withheld', 'The server of the language model withheld the answer.')
  const text = withoutThinking(message.content ?? '')
  if (text === null) return failed('llm_cut_off', 'The language model did not stop thinking.')
  if (text.trim() === '') return failed('llm_empty', 'The language model answered with nothing.')
  return succeed({ text, model: isModelName(json.model) ? json.model : asked })
}

/**
 * As long as the settings take one, and without what no database and no log takes: it comes from a server that is not
 * trusted, is stored with each capture and shown on the page.
 */
const isModelName = (name: unknown): name is string =>
  typeof name === 'string' && name.length <= 200 && /^[^\p{Cc}\p{Cs}]+$/u.test(name)

/** Models that reason aloud do so before the answer. Null where the thinking has no end. */
function withoutThinking(content: string): string | null {
  // Some templates put the opening tag into the prompt, so that only the closing one is answered.
  const answer = content.split(/<\/think(?:ing)?>/i).at(-1) ?? ''
  return /^\s*<think(?:ing)?>/i.test(answer) ? null : answer
}
