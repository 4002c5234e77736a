// What a user types for this command, which depends on how it was installed.

import { expect, test } from 'bun:test'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { typedCommand } from '../../../src/cli/server/server-command.ts'

test('after npx, the hints name what npx was given', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dictation-npx-'))
  const npx = join(folder, '_npx', '89e161671827b750')
  const own = join(npx, 'node_modules', 'local-dictation')
  await mkdir(own, { recursive: true })
  expect(typedCommand(own)).toBe('npx local-dictation')
  const given = './local-dictation-0.1.0.tgz'
  await writeFile(join(npx, 'package.json'), JSON.stringify({ _npx: { packages: [given] } }))
  expect(typedCommand(own)).toBe(`npx ${given}`)
  expect(typedCommand(folder)).toBe('dictation')
  await rm(folder, { recursive: true })
})
