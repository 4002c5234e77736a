// Streams samples to the live socket and receives live text. Nothing depends on it: take.ts stores the recording.

import { socketAddress } from '../server/ticket.ts'
import type { LiveMessage } from '../server/wire.ts'

export type SampleStream = {
  send(samples: Int16Array): void
  /** end of input: the server sends the last words, then closes */
  stop(): void
  /** closes without waiting for further text */
  close(): void
}

/** The server expects a tenth of a second per frame. */
const FRAMES_IN_A_SECOND = 10
/** Twenty seconds of unsent audio: words would arrive too late to be useful. */
const MAX_UNSENT_SECONDS = 20
const SAMPLE_BYTES = 2

type Listening = {
  rate: number
  onMessage: (message: LiveMessage) => void
  /** `isWhole`: the server has transcribed everything */
  onClose: (isWhole: boolean) => void
}

export function openSampleStream({ rate, onMessage, onClose }: Listening): SampleStream {
  let socket: WebSocket | null = null
  let isClosed = false
  const frameSamples = Math.round(rate / FRAMES_IN_A_SECOND)
  const unsent: (Int16Array<ArrayBuffer> | string)[] = []
  let frame = new Int16Array(frameSamples)
  let filled = 0

  const put = (what: Int16Array<ArrayBuffer> | string) => {
    if (socket === null || socket.readyState === WebSocket.CONNECTING) unsent.push(what)
    else if (socket.readyState === WebSocket.OPEN) socket.send(what)
  }
  const sendFrame = () => {
    if (filled > 0) put(frame.slice(0, filled))
    filled = 0
  }

  const connect = (address: string) => {
    if (isClosed) return
    const opened = new WebSocket(address)
    opened.onopen = () => {
      for (const one of unsent.splice(0)) opened.send(one)
    }
    opened.onmessage = ({ data }) => onMessage(JSON.parse(data) as LiveMessage)
    opened.onclose = ({ code }) => onClose(code === 1000)
    socket = opened
  }
  socketAddress(`/transcribe/live?rate=${rate}`).then(connect, () => isClosed || onClose(false))

  return {
    send(samples) {
      if (socket !== null && socket.bufferedAmount > MAX_UNSENT_SECONDS * rate * SAMPLE_BYTES) socket.close()
      let rest = samples
      while (rest.length > 0) {
        const part = rest.subarray(0, frameSamples - filled)
        frame.set(part, filled)
        filled += part.length
        rest = rest.subarray(part.length)
        if (filled < frameSamples) continue
        sendFrame()
        frame = new Int16Array(frameSamples)
      }
    },
    stop() {
      sendFrame()
      put('{"type":"stop"}')
    },
    close() {
      isClosed = true
      if (socket === null) return
      socket.onclose = null
      socket.close()
    },
  }
}
