// Requests to an OpenAI-compatible server that the user set: its address, its key, bounded JSON responses, its models.

import { Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { networkReason } from './os-errors.ts'
import { fail, type Result, succeed } from './result.ts'

export type ServerAddress = {
  /** including `/v1` */
  baseUrl: string
  /** environment variable with the key; null if none is needed */
  apiKeyEnv: string | null
}

/** Value of an environment variable; undefined if not set. */
export type ReadKey = (name: string) => string | undefined

/** How messages name the server and the setting of its key. */
export type ServerName = { server: string; keySetting: string }

export type EndpointFailure = {
  code: /** not an http or https URL */
    | 'bad_address'
    /** the named variable must not be sent */
    | 'key_refused'
    /** the variable is not set */
    | 'key_missing'
    | 'unreachable'
    | 'unauthorized'
    /** an error status, or a redirect, which is not followed */
    | 'http_error'
    | 'too_large'
    | 'malformed'
  message: string
  /** of the response, if that is the failure */
  status?: number
}

export type ServerAccess = { baseUrl: string; headers: Record<string, string>; name: ServerName }

const PREFIX = 'DICTATION_'

/** Allowed values of the settings that name a key. */
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

export function accessTo(
  { baseUrl, apiKeyEnv }: ServerAddress,
  { name, readKey }: { name: ServerName; readKey: ReadKey },
): Result<ServerAccess, EndpointFailure> {
  const url = URL.parse(baseUrl)
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    return fail({
      code: 'bad_address',
      message: `The URL of ${name.server} must start with http:// or https://.`,
    })
  const headers: Record<string, string> = {}
  if (apiKeyEnv !== null) {
    const fault = keyVariableFault(apiKeyEnv)
    if (fault !== null)
      return fail({ code: 'key_refused', message: `The setting ${name.keySetting} ${fault}.` })
    const key = readKey(apiKeyEnv)?.trim()
    if (!key)
      return fail({ code: 'key_missing', message: `The environment variable ${apiKeyEnv} is not set.` })
    headers.authorization = `Bearer ${key}`
  }
  return succeed({ baseUrl: `${url.origin}${url.pathname.replace(/\/+$/, '')}`, headers, name })
}

type JsonRequest = {
  /** below the base URL */
  path: string
  /** null: GET; an object is sent as JSON */
  body: object | FormData | null
  maxBytes: number
  signal: AbortSignal
}

/** Never throws; an aborted request is a failure. Messages begin with `The …` and contain nothing of the body. */
export async function requestJson(
  { baseUrl, headers, name }: ServerAccess,
  { path, body, maxBytes, signal }: JsonRequest,
): Promise<Result<unknown, EndpointFailure>> {
  const server = `T${name.server.slice(1)}`
  try {
    const response = await fetch(`${baseUrl}${path}`, {
      method: body === null ? 'GET' : 'POST',
      ...(body === null || body instanceof FormData
        ? { headers, ...(body && { body }) }
        : { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      // The user agreed to send data and keys to this server only, not to a redirect's target.
      redirect: 'manual',
      signal,
    })
    return response.status === 200
      ? await readJson(response, { server, maxBytes })
      : await refused(response, server)
  } catch (error) {
    const message = `${server} cannot be reached or closed the connection${networkReason(error)}.`
    return fail({ code: 'unreachable', message })
  }
}

async function refused(response: Response, server: string): Promise<Result<never, EndpointFailure>> {
  const { status } = response
  await response.body?.cancel()
  if (status === 401 || status === 403)
    return fail({
      code: 'unauthorized',
      message: `${server} requires a valid API key (status ${status}).`,
      status,
    })
  return fail({ code: 'http_error', message: `${server} responded with status ${status}.`, status })
}

async function readJson(
  response: Response,
  { server, maxBytes }: { server: string; maxBytes: number },
): Promise<Result<unknown, EndpointFailure>> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    // Returning from the loop cancels the stream, which closes the connection.
    if (bytes > maxBytes) return fail({ code: 'too_large', message: `${server}'s response is too large.` })
    chunks.push(chunk)
  }
  try {
    return succeed(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))))
  } catch {
    return fail({ code: 'malformed', message: `${server}'s response is not JSON.` })
  }
}

const ModelList = TypeCompiler.Compile(Type.Object({ data: Type.Array(Type.Object({ id: Type.Unknown() })) }))

/** Names of the models that the server lists; empty if its response is not a list. */
export async function listedModels(
  access: ServerAccess,
  limits: Pick<JsonRequest, 'maxBytes' | 'signal'>,
): Promise<Result<string[], EndpointFailure>> {
  const list = await requestJson(access, { ...limits, path: '/models', body: null })
  if (!list.ok) return list
  return succeed(ModelList.Check(list.value) ? list.value.data.map(({ id }) => id).filter(isModelName) : [])
}

/**
 * The length limit of the settings, and no control characters or lone surrogates: the name comes from an untrusted server,
 * is stored with each capture and shown on the page.
 */
export const isModelName = (name: unknown): name is string =>
  typeof name === 'string' && name.length <= 200 && /^[^\p{Cc}\p{Cs}]+$/u.test(name)
