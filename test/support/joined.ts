// Several recordings as one, with silence between them, and the words of each found again by their times.
// Whisper takes as long for a window of 30 s as for one of 3 s: five short recordings cost what one does.

import { samplesOf } from './flac.ts'
import { formOf } from './speech.ts'
import { wavHeader } from './wav.ts'

const RATE = 16_000
const GAP_SECONDS = 1.2

export type Part = { file: string; samples: Float32Array }
export type Slot = { file: string; startSeconds: number; endSeconds: number }

/** One 16-bit WAV file, and where each part lies in it: half a gap belongs to the part on either side. */
export function joinParts(parts: Part[]): { wav: File; slots: Slot[] } {
  const gap = Math.round(GAP_SECONDS * RATE)
  const samples = new Int16Array(parts.reduce((sum, part) => sum + part.samples.length + gap, 0))
  const slots: Slot[] = []
  let at = 0
  for (const { file, samples: part } of parts) {
    part.forEach((value, index) => {
      samples[at + index] = Math.round(Math.max(-1, Math.min(1, value)) * 32_767)
    })
    slots.push({
      file,
      startSeconds: (at - gap / 2) / RATE,
      endSeconds: (at + part.length + gap / 2) / RATE,
    })
    at += part.length + gap
  }
  return {
    wav: new File(
      [wavHeader({ dataBytes: samples.byteLength, rate: RATE, channels: 1 }), samples],
      'joined.wav',
    ),
    slots,
  }
}

/** A recording as the server decodes it, whatever its format: kept, heard as WAV, deleted. */
export async function decodedByServer(url: string, file: string): Promise<Part> {
  const kept = await fetch(`${url}/captures?wait=false`, { method: 'POST', body: await formOf(file) })
  if (kept.status !== 202) throw new Error(`${file}: ${kept.status} ${await kept.text()}`)
  const { id } = (await kept.json()) as { id: string }
  await fetch(`${url}/captures/${id}/cancel`, { method: 'POST' })
  const heard = await fetch(`${url}/captures/${id}/audio?format=wav`)
  if (heard.status !== 200) throw new Error(`${file}: ${heard.status} ${await heard.text()}`)
  const samples = new Int16Array((await heard.arrayBuffer()).slice(44))
  await fetch(`${url}/captures/${id}`, { method: 'DELETE' })
  return { file, samples: Float32Array.from(samples, (value) => value / 32_767) }
}

export const decodedHere = async (file: string): Promise<Part> => ({ file, samples: await samplesOf(file) })

/** Whether two decodings differ by less than a hundredth of what there is to hear (−40 dB). */
export function soundAlike({ samples: one }: Part, { samples: other }: Part): boolean {
  if (Math.abs(one.length - other.length) > RATE / 100) return false
  let [difference, energy] = [0, 0]
  for (let index = 0; index < Math.min(one.length, other.length); index++) {
    difference += (one[index]! - other[index]!) ** 2
    energy += one[index]! ** 2
  }
  return difference < energy * 1e-4
}
