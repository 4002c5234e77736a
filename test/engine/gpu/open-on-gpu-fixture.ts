// A first load and a second one on an emulated GPU, of a model that hears something and writes nothing. Prints what computes it
// each time. VK_DRIVER_FILES names the emulation, DAWN_NODE the library, and the first argument a folder for trials.

import { bytesInMemory, readGgmlFile } from '../../../src/engine/ggml-file.ts'
import { adapterOfDawn } from '../../../src/engine/gpu/device.ts'
import type { GpuRequest } from '../../../src/engine/gpu/gpu-request.ts'
import { openOnBestDevice } from '../../../src/engine/gpu/open-on-gpu.ts'
import { readTrials } from '../../../src/engine/gpu/trials.ts'
import { openModel } from '../../../src/engine/whisper/model.ts'
import { readReferenceModel } from '../../../src/engine/whisper/reference/model.ts'
import { bundledBytes } from '../../support/ggml.ts'
import { melTriangles, SHAPES, writeModelFile } from '../../support/model-files.ts'
import { createRandom } from '../../support/random.ts'

const shape = {
  ...SHAPES.toy,
  ...{ audioWidth: 128, audioHeads: 2, audioLayers: 1, audioFrames: 64 },
  ...{ textWidth: 128, textHeads: 2, textLayers: 1, textTokens: 32 },
}
const random = createRandom(1)
/** Timestamp 0, then the end of the text, whatever it hears: as in src/engine/probe-model.ts. */
const LOGITS = new Map([
  [50_363, 20],
  [50_256, 40],
])

const bytes = writeModelFile({
  ...{ shape, kind: 'f16', filters: melTriangles(shape.melBands) },
  vocabulary: readReferenceModel(await bundledBytes()).file.vocabulary,
  weightsOf({ name, dimensions }) {
    const weights = new Float32Array(dimensions.reduce((product, size) => product * size, 1))
    if (name.startsWith('encoder')) return weights.map(() => 0.1 * random())
    if (name === 'decoder.ln.bias') weights[0] = 1
    if (name === 'decoder.token_embedding.weight')
      for (const [token, logit] of LOGITS) weights[token * shape.textWidth] = logit
    return weights
  },
})
const file = readGgmlFile(bytesInMemory(bytes))
if (!file.ok) throw new Error(file.failure.message)

const folder = process.argv[2]!
const opened = async (use: GpuRequest['use']) => {
  const source = bytesInMemory(bytes)
  const { model, device } = await openOnBestDevice({
    ...{ request: { use, folder }, source, file: file.value, modelName: 'silent' },
    requestAdapter: adapterOfDawn(process.env.DAWN_NODE!),
    allowSoftware: true,
    deadlineMs: 1_000_000,
    open: (compute) => openModel({ source, file: file.value, threads: 1, compute }),
  })
  const { segments } = await model.transcribe({
    ...{ samples: new Float32Array(32_000), language: 'en', task: 'transcribe', prompt: null },
    signal: new AbortController().signal,
    strategy: { temperatures: [0] },
  })
  await model.close()
  return { gpu: device.gpu, reason: device.reason, segments }
}

const [first, second] = [await opened('gpu'), await opened('gpu')]
const states = Object.values(await readTrials(folder)).map(({ state }) => state)
console.log(JSON.stringify({ first, second, states }))
process.exit(0)
