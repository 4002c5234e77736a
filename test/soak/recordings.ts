// The uploads of the soak test: silence, which does not reach the engine, speech in formats of every decoder, and files
// that cannot be decoded. Loaded once, so that the harness takes little CPU time itself.

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { recordingFile, speechFolder } from '../support/speech.ts'
import { wavHeader } from '../support/wav.ts'

export type Recording = { name: string; bytes: Uint8Array<ArrayBuffer> }
export type Recordings = Awaited<ReturnType<typeof loadRecordings>>

const SAMPLE_RATE = 16_000
const SILENCE_MS = 500
/** Larger files have the same speech, and only slow the test down. */
const MAX_BYTES = 120_000

export async function loadRecordings() {
  const read = async (file: string): Promise<Recording> => ({
    name: file.split('/').pop()!,
    bytes: await recordingFile(file).bytes(),
  })
  const formats = await Promise.all(
    (await readdir(join(speechFolder, 'formats'))).toSorted().map((name) => read(`formats/${name}`)),
  )
  const short = await Promise.all(
    ['short-09', 'short-13', 'short-14', 'short-17'].map((name) => read(`${name}.flac`)),
  )
  const dataBytes = (SAMPLE_RATE * 2 * SILENCE_MS) / 1000
  const silence: Recording = {
    name: 'silence.wav',
    bytes: Buffer.concat([
      wavHeader({ dataBytes, rate: SAMPLE_RATE, channels: 1 }),
      new Uint8Array(dataBytes),
    ]),
  }
  const [{ bytes: flac }] = short as [Recording]
  return {
    silence,
    short,
    formats: formats.filter(({ bytes }) => bytes.length <= MAX_BYTES),
    /** each with its allowed statuses */
    bad: [
      {
        recording: { name: 'text.wav', bytes: Buffer.from('this is no recording '.repeat(500)) },
        expect: [415],
      },
      { recording: { name: 'empty.flac', bytes: new Uint8Array() }, expect: [400] },
      { recording: { name: 'head.flac', bytes: flac.slice(0, 60) }, expect: [201, 415, 422] },
      {
        recording: { name: 'zeros.flac', bytes: Buffer.concat([flac.slice(0, 2000), new Uint8Array(9000)]) },
        expect: [201, 415, 422],
      },
    ],
  }
}

/** A form with the recording and fields, as curl -F sends it. */
export function formOf({ name, bytes }: Recording, fields: Record<string, string> = {}): FormData {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.set(field, value)
  form.set('file', new File([bytes], name))
  return form
}
