// Silent recordings and empty models, which need no engine and take milliseconds.

import { createProbeModel } from '../../../src/engine/probe-model.ts'
import { asMultilingual } from '../../support/ggml.ts'
import { wavHeader } from '../../support/wav.ts'

const RATE = 8000

/** A WAV file of silence: 16 bit, mono, 8 kHz. */
export function silentWav(seconds = 0.3): File {
  const dataBytes = Math.round(seconds * RATE) * 2
  const header = wavHeader({ dataBytes, rate: RATE, channels: 1 })
  return new File([header, new Uint8Array(dataBytes)], 'silence.wav')
}

const probe = createProbeModel()

/** The smallest valid model, for English. */
export const modelFile = (): File => new File([Buffer.from(probe)], 'ggml-probe.bin')

/** A model of the same size for all languages. */
export const multilingualModelFile = (): File =>
  new File([Buffer.from(asMultilingual(probe))], 'ggml-babel.bin')

/** Fields first, as browsers and curl send them; null omits the file. */
export function formWith(fields: Iterable<[string, string]>, file: File | null = silentWav()): FormData {
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
  if (file !== null) form.append('file', file)
  return form
}
