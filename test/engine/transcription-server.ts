// A real HTTP server that plays an OpenAI-compatible transcription server and records the requests.

export type Received = { path: string; authorization: string | null; form: FormData | null }

export type TranscriptionServer = {
  /** including `/v1` */
  baseUrl: string
  received: Received[]
  /** number of requests that carried speech */
  windows(): number
  /** the most requests with speech at the same time */
  most(): number
  /** number of requests aborted before the response */
  left(): number
  [Symbol.asyncDispose](): Promise<void>
}

type Answer = (received: Received, signal: AbortSignal) => Response | Promise<Response>

export const verbose = (text: string, more: object = {}): Response =>
  Response.json({
    ...{ task: 'transcribe', language: 'english', duration: 1, text },
    segments: [{ id: 0, start: 0, end: 0.9, text: ` ${text}`, avg_logprob: -0.2, no_speech_prob: 0.01 }],
    words: text.split(' ').map((word, index) => ({ word, start: index / 10, end: (index + 1) / 10 })),
    ...more,
  })

/** @param answer to requests with speech; @param list to GET /v1/models */
export function startTranscriptionServer(
  answer: Answer,
  list: Answer = () => Response.json({ data: [{ id: 'kokoro' }, { id: 'faster-whisper-small' }] }),
): TranscriptionServer {
  const received: Received[] = []
  const counts = { now: 0, most: 0, left: 0 }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 60,
    async fetch(request) {
      request.signal.addEventListener('abort', () => counts.left++, { once: true })
      const isPost = request.method === 'POST'
      const one: Received = {
        path: new URL(request.url).pathname,
        authorization: request.headers.get('authorization'),
        form: isPost ? ((await request.formData()) as FormData) : null,
      }
      received.push(one)
      if (!isPost) return list(one, request.signal)
      counts.most = Math.max(counts.most, ++counts.now)
      try {
        return await answer(one, request.signal)
      } finally {
        counts.now--
      }
    },
  })
  return {
    baseUrl: `http://127.0.0.1:${server.port}/v1`,
    received,
    windows: () => received.filter(({ form }) => form !== null).length,
    most: () => counts.most,
    left: () => counts.left,
    async [Symbol.asyncDispose]() {
      await server.stop(true)
    },
  }
}

/** Does not respond until the client disconnects. */
export const silence: Answer = (_received, signal) =>
  new Promise((resolve) =>
    signal.addEventListener('abort', () => resolve(new Response(null, { status: 499 }))),
  )
