// A model that passes its trial on an emulated GPU is computed there, at once and at the next load.

import { expect } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { testAtLength } from '../../support/at-length.ts'
import { dawnModule, swiftShader } from '../../support/dawn.ts'

testAtLength.skipIf(!swiftShader)(
  'passes the trial once, and is opened without one the next time',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dictation-gpu-'))
    const fixture = Bun.spawn(
      [process.execPath, resolve(import.meta.dir, 'open-on-gpu-fixture.ts'), folder],
      {
        env: { ...process.env, VK_DRIVER_FILES: swiftShader!, DAWN_NODE: dawnModule! },
        stdout: 'pipe',
        stderr: 'pipe',
      },
    )
    const [output, errors] = await Promise.all([
      new Response(fixture.stdout).text(),
      new Response(fixture.stderr).text(),
    ])
    await rm(folder, { recursive: true, force: true })
    expect([await fixture.exited, output === '' ? errors : '']).toEqual([0, ''])
    const { first, second, states } = JSON.parse(output)
    expect(first).toEqual({
      gpu: expect.stringContaining('SwiftShader'),
      reason: expect.stringMatching(
        /^A short recording takes [\d.]+ s on the GPU and [\d.]+ s on the CPU\.$/,
      ),
      segments: [],
    })
    expect(second).toEqual(first)
    expect(states).toEqual(['passed'])
  },
  // as gpu-decoder-numbers.test.ts
  1_800_000,
)
