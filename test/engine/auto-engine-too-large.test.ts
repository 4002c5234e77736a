// A model that fits nowhere, requested from the engines that the server uses.

import { afterAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEngine, ENGINE_CHOICES } from '../../src/engine/create-engine.ts'
import { SHAPES, saveHollowModel } from '../support/model-files.ts'

const folder = await mkdtemp(join(tmpdir(), 'dictation-too-large-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const wide = { audioWidth: 2048, audioHeads: 32, textWidth: 2048, textHeads: 32 }
const shape = { ...SHAPES['large-v3'], ...wide, audioLayers: 64, textLayers: 64 }
const path = join(folder, 'ggml-huge.bin')
const bytes = saveHollowModel(path, { shape, kind: 'q4_0' })
const model = { name: 'huge', path, bytes, multilingual: true }

test.each([...ENGINE_CHOICES])(
  'rejects it at once with advice on what to use instead (%s)',
  async (choice) => {
    const engine = createEngine({ choice, threads: 2 })
    const loaded = await engine.load(model)
    const { code, message } = loaded.ok ? { code: 'loaded', message: '' } : loaded.failure
    expect(code).toBe('model_unreadable')
    expect(message).toMatch(/^huge (needs|is too large).*take a (smaller model|quantized file)/)
    expect(engine.health()).toMatchObject({ loadedModel: null, restarts: 0 })
    await engine.close()
  },
)
