// Plays samples to WS /transcribe/live as a microphone would, and records the messages with their times.

import { SAMPLE_RATE } from '../../src/engine/engine.ts'

// biome-ignore lint/suspicious/noExplicitAny: a message of the server; the figures inspect it
export type LiveServerMessage = { type: string; [name: string]: any }

export type Played = {
  /** times in milliseconds since the first sample was spoken */
  messages: { atMs: number; message: LiveServerMessage }[]
  /** when `stop` was sent */
  stopMs: number
}

/** A page sends ten packets a second. */
const PACKET = SAMPLE_RATE / 10
const PATIENCE_MS = 60_000

/**
 * Each packet is sent when its last sample was spoken, counted from the first, so that lateness does not accumulate.
 * `stop` follows the last one at once.
 * @param url with the query
 */
export async function playLive(url: string, samples: Int16Array<ArrayBuffer>): Promise<Played> {
  const messages: Played['messages'] = []
  const socket = new WebSocket(url)
  const ready = Promise.withResolvers<void>()
  const over = Promise.withResolvers<void>()
  let startedAt = performance.now()
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(String(data)) as LiveServerMessage
    messages.push({ atMs: performance.now() - startedAt, message })
    if (message.type === 'ready') ready.resolve()
  }
  socket.onclose = ({ code, reason }) => {
    const failure = new Error(`the live socket closed with ${code} ${reason}`)
    ready.reject(failure)
    if (code === 1000) over.resolve()
    else over.reject(failure)
  }
  over.promise.catch(() => {})
  await ready.promise
  startedAt = performance.now()
  for (let at = 0; at < samples.length; at += PACKET) {
    const packet = samples.subarray(at, at + PACKET)
    const dueAt = startedAt + ((at + packet.length) * 1000) / SAMPLE_RATE
    await Bun.sleep(Math.max(0, dueAt - performance.now()))
    socket.send(packet)
  }
  const stopMs = performance.now() - startedAt
  socket.send('{"type":"stop"}')
  const giveUp = setTimeout(() => over.reject(new Error('no answer within a minute')), PATIENCE_MS)
  await over.promise.finally(() => clearTimeout(giveUp))
  return { messages, stopMs }
}
