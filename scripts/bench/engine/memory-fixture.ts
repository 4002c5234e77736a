// A process that loads a model, hears a clip through the full window and tells by how much it grew; so called:
// memory-fixture.ts model clip threads. Prints JSON.

import { samplesOf } from '../../../test/support/flac.ts'
import { openOurs } from './ours.ts'

const [path = '', clip = '', threads = '1'] = process.argv.slice(2)
const samples = await samplesOf(`${clip}.flac`)
Bun.gc(true)
const before = process.memoryUsage.rss()
const model = { name: 'measured', path, bytes: Bun.file(path).size, multilingual: false }
const asked = { clip: { name: clip, samples, wavFile: '' }, model, threads: Number(threads) }
const ours = await openOurs(asked, { trim: false })
const loaded = process.memoryUsage.rss()
await ours.hear()
const heard = process.memoryUsage.rss()
console.log(JSON.stringify({ loadedBytes: loaded - before, heardBytes: heard - before, loadMs: ours.loadMs }))
process.exit(0)
