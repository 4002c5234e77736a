// A real HTTP server that plays an OpenAI-compatible language model and records the requests.

type ChatBody = { model: string; messages: { role: string; content: string }[]; max_tokens: number }

/** `body` is null for GET. */
export type ModelRequest = { path: string; authorization: string | null; body: ChatBody | null }

export type ModelServer = {
  /** including `/v1` */
  baseUrl: string
  requests: ModelRequest[]
  /** number of requests aborted before the response */
  left(): number
  [Symbol.asyncDispose](): Promise<void>
}

type Answer = (request: ModelRequest, signal: AbortSignal) => Response | Promise<Response>

/** Ready-made bodies of a chat completion. */
export const completion = (content: string | null, more: object = {}, message: object = {}): Response =>
  Response.json({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    model: 'played-model',
    choices: [
      { index: 0, finish_reason: 'stop', message: { role: 'assistant', content, ...message }, ...more },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  })

/** The dictated text in the request. */
export const dictated = ({ body }: ModelRequest): string => body!.messages.at(-1)!.content

export function startModelServer(answer: Answer): ModelServer {
  const requests: ModelRequest[] = []
  let left = 0
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 30,
    async fetch(request) {
      request.signal.addEventListener('abort', () => left++, { once: true })
      const one = {
        path: new URL(request.url).pathname,
        authorization: request.headers.get('authorization'),
        body: request.method === 'POST' ? ((await request.json()) as ChatBody) : null,
      }
      requests.push(one)
      return answer(one, request.signal)
    },
  })
  return {
    baseUrl: `http://127.0.0.1:${server.port}/v1`,
    requests,
    left: () => left,
    async [Symbol.asyncDispose]() {
      await server.stop(true)
    },
  }
}

/** Does not respond until the client disconnects. */
export const silence: Answer = (_request, signal) =>
  new Promise((resolve) =>
    signal.addEventListener('abort', () => resolve(new Response(null, { status: 499 }))),
  )

/** An endless response until the client disconnects. */
export const endless: Answer = () => {
  const chunk = new TextEncoder().encode(`{"choices": [{"message": {"content": "${'blah '.repeat(10_000)}`)
  return new Response(new ReadableStream({ pull: (controller) => controller.enqueue(chunk) }), {
    headers: { 'content-type': 'application/json' },
  })
}
