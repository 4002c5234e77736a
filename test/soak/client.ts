// A client that records the duration of each response and every unexpected one.

export const TOKEN = 'a-token-for-the-soak-test'

export type Answer = { atHours: number; route: string; tookMs: number }

export type RequestOptions = {
  /** groups the durations: the operation, not the path */
  route: string
  method?: string
  body?: RequestInit['body']
  json?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
  /** allowed statuses; default: 200 and 201 */
  expect?: readonly number[]
}

export type Client = ReturnType<typeof createClient>

export function createClient(url: string, hoursOfUse: () => number) {
  const answers: Answer[] = []
  const faults: string[] = []

  /** @returns the body; null if the status is unexpected */
  async function request(path: string, options: RequestOptions): Promise<Uint8Array | null> {
    const { route, expect = [200, 201] } = options
    const startedAt = performance.now()
    const response = await fetch(`${url}${path}`, requestOf(options))
    const bytes = await response.bytes()
    answers.push({ atHours: hoursOfUse(), route, tookMs: performance.now() - startedAt })
    if (expect.includes(response.status)) return bytes
    faults.push(`${route}: ${response.status} ${new TextDecoder().decode(bytes.slice(0, 300))}`)
    return null
  }

  return {
    url,
    answers,
    faults,
    request,
    /** @returns the parsed body; null if the status is unexpected */
    async json<T = Record<string, unknown>>(path: string, options: RequestOptions): Promise<T | null> {
      const bytes = await request(path, options)
      return bytes === null ? null : (JSON.parse(new TextDecoder().decode(bytes)) as T)
    },
    /** disconnects during the response, as a closed page or a lost connection does */
    async drop(
      path: string,
      options: RequestOptions,
      stay: (response: Response) => Promise<unknown> = (response) => response.bytes(),
    ): Promise<void> {
      const disconnect = new AbortController()
      try {
        const response = await fetch(`${url}${path}`, requestOf({ signal: disconnect.signal, ...options }))
        await stay(response)
      } catch (error) {
        if (!(error instanceof Error) || !/abort|closed|reset|time/i.test(error.message + error.name))
          throw error
      } finally {
        disconnect.abort()
      }
    },
  }
}

function requestOf({ method, body, json, headers = {}, signal }: RequestOptions): RequestInit {
  const isJson = json !== undefined
  return {
    method: method ?? (isJson || body ? 'POST' : 'GET'),
    body: isJson ? JSON.stringify(json) : body,
    headers: {
      authorization: `Bearer ${TOKEN}`,
      ...(isJson && { 'content-type': 'application/json' }),
      ...headers,
    },
    signal,
  } as RequestInit
}
