import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PcmFile } from '../../src/audio/audio-file.ts'
import { readPcm } from '../../src/audio/pcm.ts'

const folder = await mkdtemp(join(tmpdir(), 'pcm test '))
afterAll(async () => await rm(folder, { recursive: true, force: true }))

async function pcmOf(samples: Float32Array): Promise<PcmFile> {
  const path = join(folder, crypto.randomUUID())
  await Bun.write(path, samples)
  return {
    path,
    samples: samples.length,
    durationMs: samples.length / 16,
    decodeMs: 0,
    playsAlike: true,
    warnings: [],
    dispose: async () => {},
  }
}

describe('decoded samples', () => {
  test('are read by range, clipped to the file', async () => {
    const pcm = await pcmOf(Float32Array.from({ length: 100 }, (_, i) => i / 100))
    expect([...(await readPcm(pcm, 10, 13))]).toEqual([0.1, 0.11, 0.12].map(Math.fround))
    expect((await readPcm(pcm, 90, 200)).length).toBe(10)
    expect((await readPcm(pcm, -5, 5)).length).toBe(5)
    expect((await readPcm(pcm, 200, 300)).length).toBe(0)
    expect((await readPcm(pcm, 50, 40)).length).toBe(0)
  })
})
