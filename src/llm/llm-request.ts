// One request with a JSON answer to a server that is not trusted: no redirects, and an end to every size.
// What the answer means is llm-client.ts's; the time it may take is the signal's.

import { fail, type Result, succeed } from '../lib/result.ts'
import { networkReason } from '../lib/system-reason.ts'
import type { LlmFailure } from './llm.ts'

/** Some hundred times the longest answer that is asked for. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024

type JsonRequest = {
  url: string
  headers: Record<string, string>
  /** null asks with GET */
  body: object | null
  signal: AbortSignal
}

export const failed = (code: LlmFailure['code'], message: string) => fail<LlmFailure>({ code, message })

/** Never throws; an answer that the signal cut short is a failure like any other. */
export async function requestJson(request: JsonRequest): Promise<Result<unknown, LlmFailure>> {
  const { url, headers, body, signal } = request
  try {
    const response = await fetch(url, {
      method: body === null ? 'GET' : 'POST',
      headers,
      ...(body !== null && { body: JSON.stringify(body) }),
      // Where a redirect leads nobody has agreed to send words or keys.
      redirect: 'manual',
      signal,
    })
    return response.status === 200 ? await readJson(response) : await refused(response)
  } catch (error) {
    const reason = networkReason(error)
    return failed(
      'llm_unreachable',
      `The server of the language model does not answer, or broke off${reason}.`,
    )
  }
}

async function refused(response: Response): Promise<Result<never, LlmFailure>> {
  const { status } = response
  await response.body?.cancel()
  if (status === 401 || status === 403)
    return failed(
      'llm_unauthorized',
      `The server of the language model wants another key (status ${status}).`,
    )
  return failed('llm_http_error', `The server of the language model answered with status ${status}.`)
}

async function readJson(response: Response): Promise<Result<unknown, LlmFailure>> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    // Leaving the loop cancels the stream, which closes the connection.
    if (bytes > MAX_ANSWER_BYTES)
      return failed('llm_too_large', 'The language model answered without an end.')
    chunks.push(chunk)
  }
  try {
    return succeed(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))))
  } catch {
    return failed('llm_malformed', 'The language model answered with something that is no JSON.')
  }
}
