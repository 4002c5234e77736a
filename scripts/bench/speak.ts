// A microphone for `dictation dictate --input`: writes a file of samples (16 bits, 16 kHz) at the pace of speech, creates
// `spoken` after the last one, and stays open. Usage: speak.ts SAMPLES SPOKEN

import { SAMPLE_RATE } from '../../src/engine/engine.ts'

const [samples = '', spoken = ''] = process.argv.slice(2)
const BYTES_PER_SAMPLE = 2
/** 20 ms, as a sound system delivers it. */
const PACKET = (SAMPLE_RATE / 50) * BYTES_PER_SAMPLE
const FOREVER_MS = 2 ** 31 - 1

const bytes = new Uint8Array(await Bun.file(samples).arrayBuffer())
const startedAt = performance.now()
for (let at = 0; at < bytes.length; at += PACKET) {
  const packet = bytes.subarray(at, at + PACKET)
  const dueAt = startedAt + ((at + packet.length) * 1000) / (SAMPLE_RATE * BYTES_PER_SAMPLE)
  await Bun.sleep(Math.max(0, dueAt - performance.now()))
  process.stdout.write(packet)
}
await Bun.write(spoken, '')
await Bun.sleep(FOREVER_MS)
