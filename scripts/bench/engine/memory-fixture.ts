// Usage: memory-fixture.ts model clip threads. Loads a model, transcribes a clip with the full window, and prints time
// and memory as JSON.

import { samplesOf } from '../../../test/support/flac.ts'
import { openOurs } from './ours.ts'
import type { PeerResult } from './peer.ts'

/** Resident memory in addition to that before loading. */
export type Grown = PeerResult & { loadedBytes: number; usedBytes: number; loadMs: number }

if (import.meta.main) {
  const [path = '', clip = '', threads = '1'] = process.argv.slice(2)
  const samples = await samplesOf(`${clip}.flac`)
  Bun.gc(true)
  const before = process.memoryUsage.rss()
  const grownBytes = () => process.memoryUsage.rss() - before
  const model = { name: 'measured', path, bytes: Bun.file(path).size, multilingual: false }
  const options = {
    clip: { name: clip, samples, wavFile: '', language: 'en' },
    model,
    threads: Number(threads),
  }
  const ours = await openOurs(options, { trim: false })
  const loadedBytes = grownBytes()
  const result = await ours.transcribe()
  const grown: Grown = { ...result, loadedBytes, usedBytes: grownBytes(), loadMs: ours.loadMs }
  console.log(JSON.stringify(grown))
  process.exit(0)
}
