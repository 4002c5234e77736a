// The clips and models for the engine benchmarks, as files in a temporary folder.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ModelFile } from '../../../src/engine/engine.ts'
import { createTestDecoder } from '../../../test/audio/decoded.ts'
import { pathOf, spokenOf } from '../../../test/languages/material.ts'
import { samplesOf } from '../../../test/support/flac.ts'
import { baseModel, bundledModel } from '../../../test/support/ggml.ts'
import { bundledAs, inType } from '../../../test/support/model-files.ts'
import type { Kind } from '../../../test/support/quantize.ts'
import { wavHeader } from '../../../test/support/wav.ts'
import { type ForcedSize, saveForcedModel } from './forced-model.ts'
import type { Clip } from './peer.ts'

const LIMIT = 32_767

const wavOf = (samples: Float32Array): Uint8Array => {
  const pcm = Int16Array.from(samples, (sample) => Math.round(sample * LIMIT))
  const header = wavHeader({ dataBytes: pcm.byteLength, rate: 16_000, channels: 1 })
  return Buffer.concat([header, new Uint8Array(pcm.buffer)])
}

export type Material = AsyncDisposable & {
  /** of test/speech, without its extension; English by default */
  clip(name: string, language?: string): Promise<Clip>
  /** of test/languages/speech, in its own language */
  spokenClip(file: string): Promise<Clip>
  tiny: ModelFile
  tinyHalf(): Promise<ModelFile>
  base: ModelFile
  baseHalf(): Promise<ModelFile>
  forced(size: ForcedSize, kind?: Kind): Promise<ModelFile>
}

export const openMaterial = async (): Promise<Material> => {
  const folder = await mkdtemp(join(tmpdir(), 'dictation-bench-engine-'))

  /** Created on first use. */
  const modelFile = async (name: string, write: (path: string) => Promise<unknown>): Promise<ModelFile> => {
    const path = join(folder, `${name}.bin`)
    if (!(await Bun.file(path).exists())) await write(path)
    return { name, path, bytes: Bun.file(path).size, multilingual: name.startsWith('base-f16') }
  }

  const clipOf = async (name: string, language: string, samples: Float32Array): Promise<Clip> => {
    const wavFile = join(folder, `${name}.wav`)
    await Bun.write(wavFile, wavOf(samples))
    return { name, samples, wavFile, language }
  }

  return {
    clip: async (name, language = 'en') => clipOf(name, language, await samplesOf(`${name}.flac`)),
    async spokenClip(file) {
      const spoken = spokenOf(file)
      await using decoder = await createTestDecoder()
      return await clipOf(file, spoken.language, await decoder.samplesOf(pathOf(spoken)))
    },
    tiny: bundledModel,
    tinyHalf: () => modelFile('tiny.en-f16', async (path) => Bun.write(path, await bundledAs('f16'))),
    base: baseModel,
    baseHalf: () =>
      modelFile('base-f16', async (path) => {
        const bytes = await Bun.file(baseModel.path).bytes()
        await Bun.write(path, inType(bytes, 'f16'))
      }),
    forced: (size, kind = 'q5_1') =>
      modelFile(`${size}-shape-${kind}`, (path) => saveForcedModel(path, { size, kind })),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}
