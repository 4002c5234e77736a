// One JSON request to an untrusted server: follows no redirects and limits the response size.

import { fail, type Result, succeed } from '../lib/result.ts'
import { networkReason } from '../lib/system-reason.ts'
import type { LlmFailure } from './llm.ts'

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
export async function requestJson(request: JsonRequest): Promise<Result<unknown, LlmFailure>> {
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
