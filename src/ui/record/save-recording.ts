// A recording as a file of the person's own, where the server does not take it.
// How it gets to the server is send-recording.ts's.

import { wavOf } from './wav.ts'

export function saveRecording(blocks: readonly Int16Array<ArrayBuffer>[], rate: number): void {
  const url = URL.createObjectURL(wavOf(blocks, rate))
  const link = document.createElement('a')
  link.href = url
  link.download = `recording-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}.wav`
  link.click()
  // After the browser has taken it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
