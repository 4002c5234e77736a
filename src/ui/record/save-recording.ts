// A recording as a file of the person's own, where the server does not take it.
// How it gets to the server is send-recording.ts's.

import { saveBlob } from '../parts/save-blob.ts'
import { wavOf } from './wav.ts'

export function saveRecording(blocks: readonly Int16Array<ArrayBuffer>[], rate: number): void {
  const moment = new Date().toISOString().slice(0, 19).replaceAll(':', '-')
  saveBlob({ blob: wavOf(blocks, rate), name: `recording-${moment}.wav` })
}
