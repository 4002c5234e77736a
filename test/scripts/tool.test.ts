// The launcher behind `npm run lint` and `npm run types`, in a project folder made for each test. Needs Node on the
// PATH, as npm does; npm itself is a fake that prints its arguments.

import { expect, test } from 'bun:test'
import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'

const launcher = resolve(import.meta.dir, '../../scripts/tool.mjs')

const put = async (path: string, text: string) => {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
  await chmod(path, 0o755)
}

/** Requires `linter` 1.2.3. */
async function projectFolder() {
  const root = await mkdtemp(join(tmpdir(), 'a launcher with spaces '))
  await mkdir(join(root, 'scripts'))
  await copyFile(launcher, join(root, 'scripts', 'tool.mjs'))
  const wanted = { dependencies: { linter: '1.2.3', tsc: 'npm:typescript@7.0.2' } }
  await put(join(root, 'scripts', 'tools', 'package.json'), JSON.stringify(wanted))
  return { root, [Symbol.asyncDispose]: () => rm(root, { recursive: true }) }
}

const installed = async (root: string, linter: string) => {
  const modules = join(root, 'scripts', 'tools', 'node_modules')
  await put(join(modules, 'linter', 'package.json'), JSON.stringify({ version: linter }))
  await put(join(modules, 'tsc', 'package.json'), JSON.stringify({ version: '7.0.2' }))
  await put(join(modules, '.bin', 'linter'), '#!/bin/sh\necho "linted $*"\nexit 7\n')
}

/** @param code exit code of npm */
const launch = async (root: string, code: number, ...args: string[]) => {
  await put(join(root, 'bin', 'npm'), `#!/bin/sh\necho "npm $*"\nexit ${code}\n`)
  const env = { ...process.env, PATH: `${join(root, 'bin')}${delimiter}${process.env.PATH}` }
  const child = Bun.spawnSync(['node', join(root, 'scripts', 'tool.mjs'), ...args], { env })
  return { code: child.exitCode, out: child.stdout.toString(), err: child.stderr.toString() }
}

test('runs an installed tool of the right version at once and passes its exit code on', async () => {
  await using project = await projectFolder()
  await installed(project.root, '1.2.3')
  expect(await launch(project.root, 0, 'linter', 'check', '.')).toEqual({
    ...{ code: 7, out: 'linted check .\n', err: '' },
  })
})

test('first installs tools that are missing or of another version, as the lock file pins them', async () => {
  await using project = await projectFolder()
  expect(await launch(project.root, 0)).toMatchObject({
    code: 0,
    out: expect.stringContaining('npm install'),
  })
  await installed(project.root, '1.2.2')
  const { out } = await launch(project.root, 0, 'linter')
  expect(out).toMatch(/^npm install .*\nlinted \n$/)
})

test('a failed installation ends with npm’s exit code and runs nothing', async () => {
  await using project = await projectFolder()
  await installed(project.root, '1.2.2')
  const { code, out } = await launch(project.root, 5, 'linter')
  expect([code, out.includes('linted')]).toEqual([5, false])
})
