// An OpenAI-compatible server for one GGUF file, by a separately installed node-llama-cpp. One request at a time, no
// streaming, no tools.

import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

type Message = { role: 'system' | 'user' | 'assistant'; content: string }
type Turn = { type: 'system' | 'user'; text: string } | { type: 'model'; response: string[] }

/** The used part of node-llama-cpp 3. */
type LlamaCpp = {
  getLlama(options: object): Promise<{ loadModel(options: object): Promise<Model> }>
  LlamaChatSession: new (options: object) => Session
}
type Model = { createContext(options: object): Promise<{ getSequence(): unknown }> }
type Session = {
  setChatHistory(turns: Turn[]): void
  promptWithMeta(text: string, options: object): Promise<{ responseText: string; stopReason: string }>
}

export type GgufServer = { baseUrl: string; close(): Promise<void> }

/** Listens on a free port of the loopback interface. */
export async function serveGguf({
  gguf,
  packageFolder,
}: {
  gguf: string
  packageFolder: string
}): Promise<GgufServer> {
  const entry = join(packageFolder, 'node_modules/node-llama-cpp/dist/index.js')
  const { getLlama, LlamaChatSession }: LlamaCpp = await import(pathToFileURL(entry).href)
  const llama = await getLlama({ build: 'never', gpu: false, logLevel: 'error' })
  const model = await llama.loadModel({ modelPath: gguf })
  // More threads wait for each other by spinning, which costs more than it gains on a busy computer.
  const context = await model.createContext({ contextSize: 4096, threads: 1 })
  const session = new LlamaChatSession({ contextSequence: context.getSequence() })
  let turn: Promise<unknown> = Promise.resolve()

  async function complete(
    { messages, max_tokens: maxTokens, temperature }: CompletionRequest,
    signal: AbortSignal,
  ) {
    session.setChatHistory(messages.slice(0, -1).map(turnOf))
    const { responseText, stopReason } = await session.promptWithMeta(messages.at(-1)?.content ?? '', {
      maxTokens,
      temperature,
      signal,
      stopOnAbortSignal: true,
    })
    const ending = stopReason === 'maxTokens' ? 'length' : 'stop'
    const message = { role: 'assistant', content: responseText }
    return Response.json({ model: 'gguf', choices: [{ index: 0, finish_reason: ending, message }] })
  }

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 255,
    async fetch(request) {
      if (new URL(request.url).pathname === '/v1/models') return Response.json({ data: [{ id: 'gguf' }] })
      const body = (await request.json()) as CompletionRequest
      const answer = turn.then(() => complete(body, request.signal))
      turn = answer.catch(() => {})
      return answer
    },
  })
  return { baseUrl: `http://127.0.0.1:${server.port}/v1`, close: () => server.stop(true) }
}

type CompletionRequest = { messages: Message[]; max_tokens: number; temperature: number }

const turnOf = ({ role, content }: Message): Turn =>
  role === 'assistant' ? { type: 'model', response: [content] } : { type: role, text: content }
