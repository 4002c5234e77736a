// One recording on its way to WS /transcribe/live. Audio that arrives before the socket is open waits here.

import type { ServerClient } from '../connection/server-client.ts'

export type LiveOutcome = {
  /** of the finished utterances, in order */
  texts: string[]
  /** null: the server has not confirmed that it stored the recording */
  captureId: string | null
  /** why not; null if it did */
  problem: string | null
  /** performance.now() of the last text; null if there was none */
  lastTextAt: number | null
}

export type DictationStream = {
  push(bytes: Uint8Array<ArrayBuffer>): void
  /** no more audio follows */
  stop(): void
  ended: Promise<LiveOutcome>
}

export type DictationStreamOptions = {
  server: Pick<ServerClient, 'socket'>
  query: Record<string, string>
  /** called at once if the server ends the stream before `stop` */
  onLost: (why: string) => void
}

type LiveMessage = {
  type: string
  text?: string
  refined_text?: string | null
  capture_id?: string
  detail?: string
}

const GONE = 'The server stopped responding'
/** A server that is stuck, not slow: it transcribes the rest of the recording in this time. */
const FINISH_WITHIN_MS = 120_000

export function openDictationStream({ server, query, onLost }: DictationStreamOptions): DictationStream {
  const outcome: LiveOutcome = { texts: [], captureId: null, problem: null, lastTextAt: null }
  const ended = Promise.withResolvers<LiveOutcome>()
  const waiting: (Uint8Array<ArrayBuffer> | string)[] = []
  let socket: WebSocket | null = null
  let isStopped = false
  let isEnded = false

  const end = (problem: string | null) => {
    if (isEnded) return
    isEnded = true
    outcome.problem = outcome.captureId === null ? (outcome.problem ?? problem) : null
    if (!isStopped) onLost(outcome.problem ?? GONE)
    socket?.close()
    ended.resolve(outcome)
  }

  const take = (message: LiveMessage) => {
    if (message.type === 'final') {
      outcome.texts.push(message.refined_text ?? message.text ?? '')
      outcome.lastTextAt = performance.now()
    }
    if (message.type === 'kept') outcome.captureId = message.capture_id ?? null
    if (message.type === 'error') outcome.problem = message.detail ?? GONE
  }

  const send = (frame: Uint8Array<ArrayBuffer> | string) => {
    if (isEnded) return
    if (socket === null) waiting.push(frame)
    else socket.send(frame)
  }

  server.socket(`/transcribe/live?${new URLSearchParams({ ...query, keep: 'true' })}`).then(
    (opened) => {
      socket = opened
      opened.onmessage = ({ data }) => take(JSON.parse(data))
      opened.onclose = () => end(GONE)
      for (const frame of waiting) send(frame)
    },
    (error: Error) => end(error.message),
  )

  return {
    push: send,
    stop() {
      isStopped = true
      send('{"type":"stop"}')
      const timer = setTimeout(() => end(GONE), FINISH_WITHIN_MS)
      void ended.promise.then(() => clearTimeout(timer))
    },
    ended: ended.promise,
  }
}
