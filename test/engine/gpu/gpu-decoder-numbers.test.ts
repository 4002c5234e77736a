// The numbers of all shaders, from an emulated GPU, against a plain float64 Whisper with the same weights.

import { expect } from 'bun:test'
import { resolve } from 'node:path'
import { testAtLength } from '../../support/at-length.ts'
import { dawnModule, swiftShader } from '../../support/dawn.ts'

/** f16 alone changes the encoded frames of such a model by about 5e-4, as on an H100. */
const HALVES = 2e-3

testAtLength.skipIf(!swiftShader)(
  'encoder and decoder agree with float64: trimmed, together and alone, copied, restored, side by side',
  async () => {
    const fixture = Bun.spawn([process.execPath, resolve(import.meta.dir, 'numbers-fixture.ts')], {
      env: { ...process.env, VK_DRIVER_FILES: swiftShader!, DAWN_NODE: dawnModule! },
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [output, errors] = await Promise.all([
      new Response(fixture.stdout).text(),
      new Response(fixture.stderr).text(),
    ])
    expect([await fixture.exited, output === '' ? errors : '']).toEqual([0, ''])
    const { best, lengths, sums, adapter, quantized, ...relative } = JSON.parse(output)
    expect(adapter).toContain('SwiftShader')
    const { q4_K, q6_K, ...exact } = quantized as Record<string, number>
    expect(Object.keys(exact)).toEqual(['q4_0', 'q4_1', 'q5_0', 'q5_1', 'q8_0'])
    for (const error of Object.values(exact)) expect(error).toBeLessThan(1e-6)
    for (const error of [q4_K, q6_K]) expect(error).toBeLessThan(1 / 255)
    expect(Object.keys(relative)).toHaveLength(10)
    for (const error of Object.values(relative)) expect(error).toBeLessThan(HALVES)
    expect(sums).toBeLessThan(1e-4)
    expect(lengths).toEqual([11, 11, 13, 2])
    expect(best[0]).toBe(best[1])
  },
  // its compiler takes minutes, and on a busy machine ten times that
  1_800_000,
)
