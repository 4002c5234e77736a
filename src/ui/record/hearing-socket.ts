// A stream of samples to the server, and what it hears of them meanwhile.
// What is shown of it is live-words.ts's; nothing depends on it: the recording is kept by take.ts.

import { socketAddress } from '../server/ticket.ts'
import type { LiveMessage } from '../server/wire.ts'

export type HearingSocket = {
  send(samples: Int16Array): void
  /** that was all: the last words come, then it closes */
  stop(): void
  /** nothing more of it is wanted */
  close(): void
}

/** A tenth of a second is what the server expects at a time. */
const FRAMES_IN_A_SECOND = 10
/** Twenty seconds of sound that nobody takes off: words would come too late to be of use. */
const MOST_UNSENT_SECONDS = 20
const SAMPLE_BYTES = 2

type Listening = {
  rate: number
  onMessage: (message: LiveMessage) => void
  /** `isWhole`: all that was said has been told */
  onClose: (isWhole: boolean) => void
}

export function openHearing({ rate, onMessage, onClose }: Listening): HearingSocket {
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
      if (socket !== null && socket.bufferedAmount > MOST_UNSENT_SECONDS * rate * SAMPLE_BYTES) socket.close()
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
