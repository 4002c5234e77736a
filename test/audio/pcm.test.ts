import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PcmFile } from '../../src/audio/audio-file.ts'
import { readPcm, wavLength, wavStream } from '../../src/audio/pcm.ts'
import { until } from '../support/until.ts'
import { decodeInProcess } from './decoding/in-process.ts'

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
    dispose: async () => {},
  }
}

describe('decoded samples', () => {
  test('are read by span, and what lies outside is left out', async () => {
    const pcm = await pcmOf(Float32Array.from({ length: 100 }, (_, i) => i / 100))
    expect([...(await readPcm(pcm, 10, 13))]).toEqual([0.1, 0.11, 0.12].map(Math.fround))
    expect((await readPcm(pcm, 90, 200)).length).toBe(10)
    expect((await readPcm(pcm, -5, 5)).length).toBe(5)
    expect((await readPcm(pcm, 200, 300)).length).toBe(0)
    expect((await readPcm(pcm, 50, 40)).length).toBe(0)
  })

  for (const length of [0, 1, 32_768, 100_001]) {
    test(`become a WAV file of the announced length: ${length} samples`, async () => {
      const samples = Float32Array.from({ length }, (_, i) => Math.sin(i / 10))
      const pcm = await pcmOf(samples)
      const wav = await new Response(wavStream(pcm)).bytes()
      expect(wav.length).toBe(wavLength(pcm))
      const heard = await decodeInProcess(wav)
      if (length === 0) return expect(heard).toBe('damaged')
      const apart = samples.map((sample, i) => Math.abs(sample - (heard[i] as number)))
      expect(apart.reduce((most, value) => Math.max(most, value))).toBeLessThan(1 / 16_000)
    })
  }

  test('are let go when the reader leaves early', async () => {
    const reader = wavStream(await pcmOf(new Float32Array(500_000))).getReader()
    expect((await reader.read()).value?.length).toBe(44)
    await reader.cancel()
  })

  test('are left closed by readers who leave at once: Bun ends a process that forgets an open file', async () => {
    const pcm = await pcmOf(new Float32Array(100_000))
    const openFiles = async () => (await readdir('/proc/self/fd').catch(() => [])).length
    const before = await openFiles()
    for (let visit = 0; visit < 20; visit++) {
      await wavStream(pcm).cancel()
      const reader = wavStream(pcm).getReader()
      void reader.read()
      void reader.read()
      await reader.cancel()
    }
    await until(async () => (await openFiles()) <= before, { timeoutMs: 10_000 })
  })
})
