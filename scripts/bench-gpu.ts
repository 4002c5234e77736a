// Measures models on this computer's GPU. Reports only; no limits.

import { resolve } from 'node:path'
import { gpuFolderIn, installedDawn } from '../src/engine/gpu/dawn-package.ts'
import { adapterOfDawn, GpuFailure, openGpu } from '../src/engine/gpu/device.ts'
import type { WhisperShape } from '../src/engine/whisper-tensors.ts'
import { SHAPES } from '../test/support/model-files.ts'
import type { Kind } from '../test/support/quantize.ts'
import { writeFigures } from './bench/figures.ts'
import { measureServerOnGpu } from './bench/gpu/server.ts'
import { measureOnGpu } from './bench/gpu/shapes.ts'
import { lineOf, type Row } from './bench/table.ts'
import { optionsOrExit } from './options.ts'

const usage = `usage: npm run bench -- gpu [--short] [--hours N] [--emulated]
Measures every size on the GPU, and a server whose engine it is, and rewrites the section GPU of BENCHMARKS.md. --short
measures turbo and the server and prints; --hours is the length of the long recording (3); --emulated runs the smallest
shape on a software renderer and prints.
Requires the library: DICTATION_DATA_DIR=.dev dictation gpu install, or DAWN_NODE=/path/to/dawn.node.`

const values = optionsOrExit(
  { short: { type: 'boolean' }, emulated: { type: 'boolean' }, hours: { type: 'string' } },
  usage,
)
const hours = Number(values.hours ?? 3)
if (!(hours > 0)) {
  console.error(usage)
  process.exit(2)
}

const dawn = process.env.DAWN_NODE ?? installedDawn(gpuFolderIn(resolve(import.meta.dir, '../.dev')))
if (!dawn) {
  console.error(`No GPU library here.\n${usage}`)
  process.exit(2)
}
const allowSoftware = values.emulated === true

const nameOfGpu = async (): Promise<string> => {
  try {
    const gpu = await openGpu({ requestAdapter: adapterOfDawn(dawn), allowSoftware })
    gpu.close()
    return gpu.name
  } catch (error) {
    if (!(error instanceof GpuFailure)) throw error
    console.error(`No GPU here: ${error.message}.`)
    return process.exit(2)
  }
}

/** For turbo on an H100. */
const GOALS = { window: '≤ 50 ms', token: '≤ 0.5 ms', speed: '≥ 1000', load: '≤ 6 s' }
type Case = [size: string, shape: WhisperShape, kind: Kind]

const turbo = SHAPES['large-v3-turbo']
const SHORT: Case[] = [['turbo', turbo, 'q5_0']]
const EVERY: Case[] = [
  ...SHORT,
  ['turbo', turbo, 'f16'],
  ['small', SHAPES.small, 'q5_0'],
  ['medium', SHAPES.medium, 'q5_0'],
  ['large', SHAPES['large-v3'], 'q5_0'],
]
const tiny = { ...SHAPES.toy, audioFrames: 64, audioLayers: 1, textLayers: 1, vocabulary: 2000 }
const EMULATED: Case[] = [['toy', tiny, 'q5_0']]

const name = await nameOfGpu()
console.error(name)
const rows: Row[] = []
const add = (more: Row[]) => {
  for (const row of more) console.log(lineOf(row))
  rows.push(...more)
}
for (const [size, shape, kind] of allowSoftware ? EMULATED : values.short ? SHORT : EVERY) {
  const goals = shape === turbo && kind === 'q5_0' ? GOALS : {}
  add(
    await measureOnGpu({
      ...{ dawn, size, shape, kind, allowSoftware, goals },
      rounds: allowSoftware ? 1 : 5,
    }),
  )
}
if (!allowSoftware)
  add(await measureServerOnGpu({ dawn, size: 'large-v3-turbo', hours, finalGoal: '≤ 0.35 s' }))
if (!values.short && !allowSoftware)
  await writeFigures('GPU', {
    command: 'npm run bench -- gpu',
    how: `${name}. Random weights; medians of 5 runs after half a second of work, with all logits read back after each token. The goals are for turbo on an NVIDIA H100. The server transcribes from file to text, and with the live socket from \`stop\` to the final text, with a model of turbo's shape that writes the same words for every sound.`,
    rows,
  })
process.exit(0)
