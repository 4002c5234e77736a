// Downloads a recording that the server does not accept.

import { saveBlob } from '../parts/save-blob.ts'
import { wavOf } from './wav.ts'

export function saveRecording(blocks: readonly Int16Array<ArrayBuffer>[], rate: number): void {
  const moment = new Date().toISOString().slice(0, 19).replaceAll(':', '-')
  saveBlob({ blob: wavOf(blocks, rate), name: `recording-${moment}.wav` })
}
