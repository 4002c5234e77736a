// The running server as scripts talk to it: its public API, and patience while it is being restarted.
// Knows no route; what is asked for is the scripts'.

import { setTimeout as sleep } from 'node:timers/promises'

export const DEFAULT_SERVER = 'http://127.0.0.1:17493'

/** What the server refused, in its own words; or that it cannot be reached. */
export class ServerFailure extends Error {
  /** the problem's; `unreachable` where nobody answers */
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

export type Server = {
  /**
   * The JSON of the answer. Asked again while nobody answers or the server says that waiting helps (429, 503 with
   * Retry-After), until the patience is over: only what may be done twice must be asked so.
   * @throws ServerFailure
   */
  ask<T>(
    method: string,
    path: string,
    request?: { json?: unknown; body?: () => BodyInit; type?: string },
  ): Promise<T>
}

export type ServerOptions = {
  url: string
  /** asked for each request: a server that starts while we wait may make one */
  token: () => Promise<string | null>
  patienceSeconds: number
  /** told once, when waiting begins */
  onWaiting: (reason: string) => void
}

const PAUSE_MS = 1000

export function createServer({ url, token, patienceSeconds, onWaiting }: ServerOptions): Server {
  async function once(method: string, path: string, body: BodyInit | null, type: string | null) {
    const sent = await token()
    const authorization = sent === null ? {} : { authorization: `Bearer ${sent}` }
    const headers = { ...authorization, ...(type !== null && { 'content-type': type }) }
    try {
      return await fetch(new URL(path, url), { method, headers, ...(body !== null && { body }) })
    } catch {
      return null
    }
  }

  return {
    async ask(method, path, { json, body, type } = {}) {
      const until = Date.now() + patienceSeconds * 1000
      let told = false
      for (;;) {
        const sent = json === undefined ? (body?.() ?? null) : JSON.stringify(json)
        const response = await once(
          method,
          path,
          sent,
          json === undefined ? (type ?? null) : 'application/json',
        )
        const pauseMs = response === null ? PAUSE_MS : pauseOf(response)
        if (response !== null && (pauseMs === null || Date.now() + pauseMs > until)) return answerOf(response)
        if (Date.now() > until)
          throw new ServerFailure(
            'unreachable',
            `Nobody answers at ${url}. Is the server running (npm start)?`,
          )
        if (!told) onWaiting(response === null ? 'the server does not answer' : 'the server is busy')
        told = true
        await response?.body?.cancel()
        await sleep(pauseMs ?? PAUSE_MS)
      }
    },
  }
}

/** How long to wait before asking again; null where that would not help. */
function pauseOf({ status, headers }: Response): number | null {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return (status === 429 || status === 503) && seconds >= 0 ? seconds * 1000 : null
}

async function answerOf<T>(response: Response): Promise<T> {
  const answer = await response.json().catch(() => null)
  if (response.ok && answer !== null) return answer as T
  const { code = 'unexpected_answer', detail } = (answer ?? {}) as { code?: string; detail?: string }
  throw new ServerFailure(code, detail ?? `The server answered ${response.status}.`)
}
