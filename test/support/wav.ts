// Creates 16-bit WAV files, or only their header.

export type WavShape = { dataBytes: number; rate: number; channels: number }

export function wavHeader({ dataBytes, rate, channels }: WavShape): Uint8Array<ArrayBuffer> {
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + dataBytes, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(channels, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate * channels * 2, 28)
  header.writeUInt16LE(channels * 2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(dataBytes, 40)
  return new Uint8Array(header)
}

/** A whole file of 16 kHz mono. */
export function wavOf(samples: Float32Array): Blob {
  const pcm = Int16Array.from(samples, (sample) =>
    Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_768))),
  )
  return new Blob([wavHeader({ dataBytes: pcm.byteLength, rate: 16_000, channels: 1 }), pcm.buffer])
}
