import { expect, test } from 'bun:test'
import { resolve } from 'node:path'

const script = resolve(import.meta.dir, '../../scripts/build.ts')

const run = (...args: string[]) => {
  const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, script, ...args])
  return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() }
}

test('lists the targets, and suggests one for a wrong name', () => {
  expect(run('--help')).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('darwin-arm64') })
  expect(run('--target', 'linux-x64,window-x64')).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: `There is no target window-x64; did you mean "windows-x64"?
The targets are linux-x64, linux-arm64, darwin-arm64, darwin-x64, windows-x64.
`,
  })
})
