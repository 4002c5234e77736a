// Recordings for tests of the API where nobody speaks, so that no engine is needed: they cost milliseconds.
// Real speech through the routes is test/speech.test.ts.

import { wavHeader } from '../../support/wav.ts'

const RATE = 8000

/** A WAV file of silence: 16 bit, mono, 8 kHz. */
export function silentWav(seconds = 0.3): File {
  const dataBytes = Math.round(seconds * RATE) * 2
  const header = wavHeader({ dataBytes, rate: RATE, channels: 1 })
  return new File([header, new Uint8Array(dataBytes)], 'silence.wav')
}

/** Fields first, as browsers and curl send them; null leaves the file out. */
export function formWith(fields: Iterable<[string, string]>, file: File | null = silentWav()): FormData {
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
  if (file !== null) form.append('file', file)
  return form
}
