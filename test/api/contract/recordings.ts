// Recordings for tests of the API where nobody speaks, so that no engine is needed: they cost milliseconds.
// Real speech through the routes is test/speech.test.ts.

const RATE = 8000

/** A WAV file of silence: 16 bit, mono, 8 kHz. */
export function silentWav(seconds = 0.3): File {
  const bytes = Math.round(seconds * RATE) * 2
  const wav = Buffer.alloc(44 + bytes)
  wav.write('RIFF', 0)
  wav.writeUInt32LE(36 + bytes, 4)
  wav.write('WAVEfmt ', 8)
  wav.writeUInt32LE(16, 16)
  wav.writeUInt16LE(1, 20)
  wav.writeUInt16LE(1, 22)
  wav.writeUInt32LE(RATE, 24)
  wav.writeUInt32LE(RATE * 2, 28)
  wav.writeUInt16LE(2, 32)
  wav.writeUInt16LE(16, 34)
  wav.write('data', 36)
  wav.writeUInt32LE(bytes, 40)
  return new File([wav], 'silence.wav')
}

/** Fields first, as browsers and curl send them; null leaves the file out. */
export function formWith(fields: Iterable<[string, string]>, file: File | null = silentWav()): FormData {
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
  if (file !== null) form.append('file', file)
  return form
}
