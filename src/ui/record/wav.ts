// Encodes 16-bit mono samples as a WAV file, and saves a recording as one.

import { saveBlob } from '../parts/download-link.tsx'

const HEADER_BYTES = 44
const SAMPLE_BYTES = 2

/** @param rate samples per second */
export function wavOf(blocks: readonly Int16Array<ArrayBuffer>[], rate: number): Blob {
  const bytes = blocks.reduce((sum, block) => sum + block.byteLength, 0)
  return new Blob([wavHeader(bytes, rate), ...blocks], { type: 'audio/wav' })
}

/** RIFF WAVE, PCM: the 44 bytes before the samples. */
function wavHeader(sampleBytes: number, rate: number): ArrayBuffer {
  const header = new DataView(new ArrayBuffer(HEADER_BYTES))
  const word = (at: number, letters: string) => {
    for (const [index, letter] of [...letters].entries()) header.setUint8(at + index, letter.charCodeAt(0))
  }
  word(0, 'RIFF')
  header.setUint32(4, HEADER_BYTES - 8 + sampleBytes, true)
  word(8, 'WAVEfmt ')
  header.setUint32(16, 16, true)
  header.setUint16(20, 1, true)
  header.setUint16(22, 1, true)
  header.setUint32(24, rate, true)
  header.setUint32(28, rate * SAMPLE_BYTES, true)
  header.setUint16(32, SAMPLE_BYTES, true)
  header.setUint16(34, SAMPLE_BYTES * 8, true)
  word(36, 'data')
  header.setUint32(40, sampleBytes, true)
  return header.buffer
}

export function saveRecording(blocks: readonly Int16Array<ArrayBuffer>[], rate: number): void {
  const moment = new Date().toISOString().slice(0, 19).replaceAll(':', '-')
  saveBlob({ blob: wavOf(blocks, rate), name: `recording-${moment}.wav` })
}
