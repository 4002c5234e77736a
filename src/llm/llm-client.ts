// Client of OpenAI-compatible language model servers: Ollama, llama.cpp, LM Studio and others.
// Checks only the form of a response; guard/output-guard.ts checks the text.

import { Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import {
  accessTo,
  type EndpointFailure,
  isModelName,
  listedModels,
  type ReadKey,
  requestJson,
  type ServerAccess,
  type ServerName,
} from '../lib/openai-server.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import type { Llm, LlmAnswer, LlmFailure, LlmRequest } from './llm.ts'

/** Some hundred times the longest requested output. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024

const NAME: ServerName = { server: 'the language model server', keySetting: 'llm_api_key_env' }

const failed = (code: LlmFailure['code'], message: string) => fail<LlmFailure>({ code, message })

const failedRequest = ({ code, message }: EndpointFailure) => failed(`llm_${code}`, message)

/** Low, because filtering needs the likeliest words, not creative ones. */
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

export const createLlmClient = ({ readKey }: { readKey: ReadKey }): Llm => ({
  async complete(request) {
    const access = accessTo(request.address, { name: NAME, readKey })
    if (!access.ok) return failedRequest(access.failure)
    const timeout = AbortSignal.timeout(Math.max(1, request.timeoutMs))
    const signal = AbortSignal.any([timeout, request.signal])
    const answer = await requestCompletion(access.value, request, signal)
    // The signal decides the failure code, whatever error the abort caused.
    if (answer.ok || !signal.aborted) return answer
    if (request.signal.aborted)
      return failed('llm_canceled', 'The request to the language model was cancelled.')
    return failed(
      'llm_timeout',
      'The language model did not respond in time. Increase the timeout or use a smaller model.',
    )
  },
})

async function requestCompletion(access: ServerAccess, request: LlmRequest, signal: AbortSignal) {
  const { messages, maxTokens } = request
  const model = request.model === null ? await firstModel(access, signal) : succeed(request.model)
  if (!model.ok) return model
  const answer = await requestJson(access, {
    path: '/chat/completions',
    body: {
      model: model.value,
      messages,
      max_tokens: maxTokens,
      temperature: TEMPERATURE,
      stream: false,
    },
    maxBytes: MAX_ANSWER_BYTES,
    signal,
  })
  return answer.ok ? readCompletion(answer.value, model.value) : failedRequest(answer.failure)
}

async function firstModel(access: ServerAccess, signal: AbortSignal): Promise<Result<string, LlmFailure>> {
  const listed = await listedModels(access, { maxBytes: MAX_ANSWER_BYTES, signal })
  if (!listed.ok) return failedRequest(listed.failure)
  const [first] = listed.value
  return first !== undefined
    ? succeed(first)
    : failed('llm_no_model', 'The language model server lists no model. Install one there.')
}

function readCompletion(json: unknown, requested: string): Result<LlmAnswer, LlmFailure> {
  if (!Completion.Check(json))
    return failed('llm_malformed', "The language model server's response is not a chat completion.")
  const { finish_reason: ending, message } = json.choices[0]!
  if (ending === 'length') return failed('llm_cut_off', "The language model's output was cut off.")
  if (ending === 'content_filter' || (typeof message.refusal === 'string' && message.refusal !== ''))
    return failed('llm_withheld', 'The language model server withheld the output.')
  const text = withoutThinking(message.content ?? '')
  if (text === null) return failed('llm_cut_off', 'The language model did not stop thinking.')
  if (text.trim() === '') return failed('llm_empty', "The language model's output is empty.")
  return succeed({ text, model: isModelName(json.model) ? json.model : requested })
}

/** Removes reasoning output, which precedes the text. Null if it does not end. */
function withoutThinking(content: string): string | null {
  // Some templates put the opening tag into the prompt, so only the closing one is in the output.
  const answer = content.split(/<\/think(?:ing)?>/i).at(-1) ?? ''
  return /^\s*<think(?:ing)?>/i.test(answer) ? null : answer
}
