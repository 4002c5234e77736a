// A client that notes how long each answer took and which were not as they should be.
// What is asked is recording.ts, looking.ts and shaping.ts; what follows from the notes is promises.ts.

export const TOKEN = 'a-token-for-the-soak-test'

export type Answer = { atHours: number; route: string; tookMs: number }

export type Asking = {
  /** what its times are noted under: the operation, not the path */
  route: string
  method?: string
  body?: RequestInit['body']
  json?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
  /** what may be answered; by default 200 and 201 */
  expect?: readonly number[]
}

export type Client = ReturnType<typeof createClient>

export function createClient(url: string, hoursOfUse: () => number) {
  const answers: Answer[] = []
  const faults: string[] = []

  /** The whole answer; null where it was not one of those expected. */
  async function ask(path: string, asking: Asking): Promise<Uint8Array | null> {
    const { route, expect = [200, 201] } = asking
    const startedAt = performance.now()
    const response = await fetch(`${url}${path}`, requestOf(asking))
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
    ask,
    /** what it says, as JSON; null where it was not as expected */
    async json<T = Record<string, unknown>>(path: string, asking: Asking): Promise<T | null> {
      const bytes = await ask(path, asking)
      return bytes === null ? null : (JSON.parse(new TextDecoder().decode(bytes)) as T)
    },
    /** begins to read, and goes away in the middle, as a closed page or a lost connection does */
    async drop(
      path: string,
      asking: Asking,
      stay: (response: Response) => Promise<unknown> = (response) => response.bytes(),
    ): Promise<void> {
      const leaving = new AbortController()
      try {
        const response = await fetch(`${url}${path}`, requestOf({ signal: leaving.signal, ...asking }))
        await stay(response)
      } catch (error) {
        if (!(error instanceof Error) || !/abort|closed|reset|time/i.test(error.message + error.name))
          throw error
      } finally {
        leaving.abort()
      }
    },
  }
}

function requestOf({ method, body, json, headers = {}, signal }: Asking): RequestInit {
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
