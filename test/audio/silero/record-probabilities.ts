// Records the speech probabilities that ONNX Runtime computes for a few recordings, as a reference for our Silero.
// Needs onnxruntime-web, which nothing else does: ORT=/tmp/ort after `npm install --prefix /tmp/ort
// onnxruntime-web@1.30.0`.

import { join, resolve } from 'node:path'
import { createTestDecoder, SPEECH_FOLDER } from '../decoded.ts'
import { PROBABILITIES_FILE, RECORDINGS } from './recorded.ts'

const CONTEXT = 64
const FRAME = 512

const folder = resolve(process.env.ORT ?? '.')
const ort = await import(Bun.resolveSync('onnxruntime-web/wasm', folder))
ort.env.wasm.numThreads = 1
const runtime = Bun.resolveSync('onnxruntime-web/ort-wasm-simd-threaded.wasm', folder)
ort.env.wasm.wasmBinary = await Bun.file(runtime).arrayBuffer()
const weights = Bun.fileURLToPath(import.meta.resolve('@ricky0123/vad-web/dist/silero_vad_v6.onnx'))
const session = await ort.InferenceSession.create(await Bun.file(weights).bytes(), {
  executionProviders: ['wasm'],
})

async function probabilitiesOf(samples: Float32Array): Promise<number[]> {
  const input = new Float32Array(CONTEXT + FRAME)
  let state = new Float32Array(256)
  const found: number[] = []
  for (let at = 0; at < samples.length; at += FRAME) {
    input.copyWithin(0, FRAME)
    input.fill(0, CONTEXT)
    input.set(samples.subarray(at, at + FRAME), CONTEXT)
    const { output, stateN } = await session.run({
      input: new ort.Tensor('float32', input, [1, input.length]),
      state: new ort.Tensor('float32', state, [2, 1, 128]),
      sr: new ort.Tensor('int64', [16_000n], []),
    })
    found.push(Number(output.data[0].toPrecision(7)))
    state = stateN.data.slice()
  }
  return found
}

const recorded: Record<string, number[]> = {}
await using decoders = await createTestDecoder()
for (const name of RECORDINGS)
  recorded[name] = await probabilitiesOf(await decoders.samplesOf(join(SPEECH_FOLDER, name)))
await Bun.write(PROBABILITIES_FILE, `${JSON.stringify(recorded)}\n`)
