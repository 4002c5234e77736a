// Client of OpenAI-compatible language model servers: Ollama, llama.cpp, LM Studio and others.
// Checks only the form of a response; guard/output-guard.ts checks the text.

import { Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { networkReason } from '../lib/os-errors.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import type { Llm, LlmAddress, LlmAnswer, LlmFailure, LlmRequest } from './llm.ts'

/** Some hundred times the longest requested output. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024

type JsonRequest = {
  url: string
  headers: Record<string, string>
  /** null: GET */
  body: object | null
  signal: AbortSignal
}

export const failed = (code: LlmFailure['code'], message: string) => fail<LlmFailure>({ code, message })

/** Never throws; an aborted request is a failure. */
async function requestJson(request: JsonRequest): Promise<Result<unknown, LlmFailure>> {
  const { url, headers, body, signal } = request
  try {
    const response = await fetch(url, {
      method: body === null ? 'GET' : 'POST',
      headers,
      ...(body !== null && { body: JSON.stringify(body) }),
      // The user agreed to send text and keys to this server only, not to a redirect's target.
      redirect: 'manual',
      signal,
    })
    return response.status === 200 ? await readJson(response) : await refused(response)
  } catch (error) {
    const reason = networkReason(error)
    return failed(
      'llm_unreachable',
      `The language model server cannot be reached or closed the connection${reason}.`,
    )
  }
}

async function refused(response: Response): Promise<Result<never, LlmFailure>> {
  const { status } = response
  await response.body?.cancel()
  if (status === 401 || status === 403)
    return failed(
      'llm_unauthorized',
      `The language model server requires a valid API key (status ${status}).`,
    )
  return failed('llm_http_error', `The language model server responded with status ${status}.`)
}

async function readJson(response: Response): Promise<Result<unknown, LlmFailure>> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    // Returning from the loop cancels the stream, which closes the connection.
    if (bytes > MAX_ANSWER_BYTES)
      return failed('llm_too_large', "The language model server's response is too large.")
    chunks.push(chunk)
  }
  try {
    return succeed(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))))
  } catch {
    return failed('llm_malformed', "The language model server's response is not JSON.")
  }
}

const PREFIX = 'DICTATION_'

/** Allowed values of the setting. */
export const KEY_VARIABLE_PATTERN = `^${PREFIX}[A-Za-z0-9_]*$`

/** This server's own secrets. Every other DICTATION_ variable is either not secret or meant to be sent. */
const OWN_SECRETS = ['DICTATION_TOKEN']

/**
 * Why a name is rejected, or null. A client that may change settings chooses the variable and the URL it is sent to, so
 * the name must not reach other programs' secrets in the environment.
 */
export function keyVariableFault(name: string): string | null {
  if (!name.startsWith(PREFIX))
    return `must begin with ${PREFIX}, such as ${PREFIX}LLM_KEY: the server never sends other environment variables`
  // Windows ignores the case of variable names.
  if (OWN_SECRETS.includes(name.toUpperCase())) return 'must not name the token of this server'
  return null
}

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

const ModelList = TypeCompiler.Compile(Type.Object({ data: Type.Array(Type.Object({ id: Type.Unknown() })) }))

type LlmDeps = {
  /** value of an environment variable; undefined if not set */
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

function accessTo(address: LlmAddress, readKey: LlmDeps['readKey']): Result<Access, LlmFailure> {
  const url = URL.parse(address.baseUrl)
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    return failed('llm_bad_address', 'The URL of the language model must start with http:// or https://.')
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (address.apiKeyEnv !== null) {
    const fault = keyVariableFault(address.apiKeyEnv)
    if (fault !== null) return failed('llm_key_refused', `The setting llm_api_key_env ${fault}.`)
    const key = readKey(address.apiKeyEnv)?.trim()
    if (!key) return failed('llm_key_missing', `The environment variable ${address.apiKeyEnv} is not set.`)
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

/**
 * The length limit of the setting, and no control characters or lone surrogates: the name comes from an untrusted server,
 * is stored with each capture and shown on the page.
 */
const isModelName = (name: unknown): name is string =>
  typeof name === 'string' && name.length <= 200 && /^[^\p{Cc}\p{Cs}]+$/u.test(name)

/** Removes reasoning output, which precedes the text. Null if it does not end. */
function withoutThinking(content: string): string | null {
  // Some templates put the opening tag into the prompt, so only the closing one is in the output.
  const answer = content.split(/<\/think(?:ing)?>/i).at(-1) ?? ''
  return /^\s*<think(?:ing)?>/i.test(answer) ? null : answer
}
